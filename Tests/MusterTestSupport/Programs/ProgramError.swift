/// The failure of a program that a test depends on.
package struct ProgramError: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error with a description.
    package init(_ description: String) { self.description = description }
}
