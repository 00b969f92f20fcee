/// The reason why a measurement failed.
struct ProbeError: Error, CustomStringConvertible {
    let description: String

    /// Creates an error with a description.
    init(_ description: String) { self.description = description }
}
