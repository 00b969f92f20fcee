/// Why a benchmark could not be done.
struct BenchError: Error, CustomStringConvertible {
    /// What happened, in a sentence.
    let description: String

    /// Creates an error from a sentence.
    init(_ description: String) { self.description = description }

    /// Somebody sent SIGINT or SIGTERM.
    static let stopped = BenchError("stopped before the end")
}
