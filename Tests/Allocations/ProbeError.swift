/// Why nothing could be measured.
struct ProbeError: Error, CustomStringConvertible {
    let description: String

    /// Says what went wrong.
    init(_ description: String) { self.description = description }
}
