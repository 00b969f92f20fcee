/// Measures moving phones alone as a baseline, and then together with other work of the server.
struct BesideMeasurement {
    /// The two measurements.
    struct Runs {
        let alone: FanoutRun
        let beside: FanoutRun

        /// The staleness of positions in both, and their ratio.
        func figures(beside what: String) -> [BenchFigure] {
            let (alone, beside) = (self.alone.tally.staleness, self.beside.tally.staleness)
            return [
                BenchFigure("alone_p50_ms", "staleness p50, alone", alone.milliseconds(0.5), "ms"),
                BenchFigure("alone_p99_ms", "staleness p99, alone", alone.milliseconds(0.99), "ms"),
                BenchFigure("beside_p50_ms", "staleness p50, \(what)", beside.milliseconds(0.5), "ms"),
                BenchFigure("beside_p99_ms", "staleness p99, \(what)", beside.milliseconds(0.99), "ms"),
                BenchFigure(
                    "ratio",
                    "p99, \(what) to alone",
                    beside.milliseconds(0.99) / alone.milliseconds(0.99),
                    "×"
                ),
                BenchFigure("server_cores", "server CPU, \(what)", self.beside.serverCores, "cores"),
                BenchFigure("load_cores", "load CPU, \(what)", self.beside.loadCores, "cores"),
            ]
        }
    }

    private let plan: LoadPlan
    private var phones: FanoutTrial

    /// Creates a load with phones of all users, in groups; none is connected yet.
    init(_ population: BenchPopulation, plan: LoadPlan, _ server: ServerProcess, _ stage: BenchStage) {
        self.plan = plan
        let fleet = SessionFleet(population.people.count, server: server.endpoint, greeting: MusterGreeting(population))
        self.phones = FanoutTrial(
            "phones",
            load: FanoutLoad(fleet, groupSize: population.groupSize, dialect: MusterDialect(population)),
            sessions: fleet,
            meter: UsageMeter(server: server.processID, postgres: stage.postgresProcess)
        )
    }

    /// Connects all disconnected phones.
    mutating func enter(_ context: BenchContext) throws(BenchError) { try self.phones.enter(context) }

    /// Measures the phones alone, and again after `begin`.
    ///
    /// Blocks.
    mutating func run(_ outcome: inout BenchOutcome, _ context: BenchContext, begin: () throws -> Void) throws -> Runs {
        let alone = try self.phones.run(self.plan, context)
        try begin()
        let beside = try self.phones.run(self.plan, context)
        outcome.failures += alone.failures + beside.failures
        return Runs(alone: alone, beside: beside)
    }
}
