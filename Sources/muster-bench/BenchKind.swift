import MusterCommands

/// One thing that `muster bench` measures: `muster bench NAME [options]`.
protocol BenchKind: Sendable {
    /// The word on the command line.
    static var name: String { get }
    /// One line for the help.
    static var summary: String { get }
    /// Names of the options that it takes besides those of every kind.
    static var optionNames: Set<String> { get }

    /// Reads the options.
    init(_ values: OptionValues) throws(UsageError)

    /// What is measured, for the report's head: names and values.
    var parameters: [(name: String, value: String)] { get }

    /// Measures, `context.runs` times where that makes sense, and takes away whatever it set up.
    func run(_ context: BenchContext) async throws -> BenchOutcome
}

/// What every kind is given.
struct BenchContext: Sendable {
    /// How often to measure.
    let runs: Int
    /// Raised when the user wants it to end.
    let stop: StopFlag
    /// Tells the user how far it is.
    let progress: BenchProgress

    /// Throws when the user wants it to end.
    func checkStop() throws(BenchError) {
        if self.stop.isRaised { throw .stopped }
    }
}

/// What came of a benchmark.
struct BenchOutcome: Sendable {
    /// The figures of each run, in the same order.
    var runs: [[BenchFigure]] = []
    /// What must hold and did not; empty when all is well.
    var failures: [String] = []
    /// What a reader should know besides.
    var notes: [String] = []
}
