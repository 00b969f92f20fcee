/// The reason for the failure of a benchmark.
struct BenchError: Error, CustomStringConvertible {
    /// The message, one sentence.
    let description: String

    /// Creates an error with a message.
    init(_ description: String) { self.description = description }

    /// The benchmark was interrupted by SIGINT or SIGTERM.
    static let stopped = BenchError("stopped before the end")
}
