/// A program that a test runs and that did not do what the test builds on.
package struct ProgramError: Error, CustomStringConvertible {
    package let description: String

    /// Says what happened.
    package init(_ description: String) { self.description = description }
}
