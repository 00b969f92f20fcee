import MusterCommands

/// A benchmark of `muster bench`: `muster bench NAME [options]`.
protocol BenchKind: Sendable {
    /// The name on the command line.
    static var name: String { get }
    /// One line for the help.
    static var summary: String { get }
    /// The names of its own options, in addition to the common ones.
    static var optionNames: Set<String> { get }

    /// Reads the options.
    init(_ values: OptionValues) throws(UsageError)

    /// The measured configuration, for the head of the report: names and values.
    var parameters: [(name: String, value: String)] { get }

    /// Measures `context.runs` times where that applies, and removes everything it has set up.
    func run(_ context: BenchContext) async throws -> BenchOutcome
}

/// The context of a benchmark.
struct BenchContext: Sendable {
    /// The number of runs.
    let runs: Int
    /// Raised when the user interrupts the benchmark.
    let stop: StopFlag
    /// Shows the progress to the user.
    let progress: BenchProgress

    /// Throws when the user has interrupted the benchmark.
    func checkStop() throws(BenchError) {
        if self.stop.isRaised { throw .stopped }
    }
}

/// The result of a benchmark.
struct BenchOutcome: Sendable {
    /// The figures of each run, in the same order.
    var runs: [[BenchFigure]] = []
    /// Violated requirements; empty when there are none.
    var failures: [String] = []
    /// Further information for the reader.
    var notes: [String] = []
}
