/// A command line, environment or configuration file that cannot be understood: exit status 2.
package struct UsageError: Error, CustomStringConvertible {
    /// What is wrong, naming the option.
    package let description: String

    /// Says what is wrong.
    package init(_ description: String) { self.description = description }
}
