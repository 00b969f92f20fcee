/// A program under test that did not do what a test builds on.
package struct MusterProcessError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
