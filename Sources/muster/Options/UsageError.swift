/// A command line, environment or configuration file that cannot be understood: exit status 2.
struct UsageError: Error, CustomStringConvertible {
    /// What is wrong, naming the option.
    let description: String

    /// Says what is wrong.
    init(_ description: String) { self.description = description }
}
