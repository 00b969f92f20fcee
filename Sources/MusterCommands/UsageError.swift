/// An invalid command line, environment or configuration file: exit status 2.
package struct UsageError: Error, CustomStringConvertible {
    /// The problem, with the name of the option.
    package let description: String

    /// Creates an error.
    package init(_ description: String) { self.description = description }
}
