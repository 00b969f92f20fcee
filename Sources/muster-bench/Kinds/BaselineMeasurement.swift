/// Measures moving phones alone as a baseline, and then together with other work of the server.
struct BaselineMeasurement {
    /// The two measurements.
    struct Runs {
        let alone: FanoutRun
        let alongside: FanoutRun

        /// The staleness of positions in both, and their ratio.
        func figures(alongside what: String) -> [BenchFigure] {
            let (alone, alongside) = (self.alone.tally.staleness, self.alongside.tally.staleness)
            return [
                BenchFigure("alone_p50_ms", "staleness p50, alone", alone.milliseconds(0.5), "ms"),
                BenchFigure("alone_p99_ms", "staleness p99, alone", alone.milliseconds(0.99), "ms"),
                BenchFigure("beside_p50_ms", "staleness p50, \(what)", alongside.milliseconds(0.5), "ms"),
                BenchFigure("beside_p99_ms", "staleness p99, \(what)", alongside.milliseconds(0.99), "ms"),
                BenchFigure(
                    "ratio",
                    "p99, \(what) to alone",
                    alongside.milliseconds(0.99) / alone.milliseconds(0.99),
                    "×"
                ),
                BenchFigure("server_cores", "server CPU, \(what)", self.alongside.serverCores, "cores"),
                BenchFigure("load_cores", "load CPU, \(what)", self.alongside.loadCores, "cores"),
            ]
        }
    }

    private let plan: LoadPlan
    private var phones: FanoutTrial

    /// Creates a load with phones of all users, in groups; none is connected yet.
    init(_ population: BenchPopulation, plan: LoadPlan, _ server: ServerProcess, _ fixture: BenchFixture) {
        self.plan = plan
        let fleet = SessionFleet(
            population.people.count,
            server: server.endpoint,
            handshake: MusterHandshake(population)
        )
        self.phones = FanoutTrial(
            "phones",
            load: FanoutLoad(fleet, groupSize: population.groupSize, dialect: MusterDialect(population)),
            sessions: fleet,
            meter: UsageMeter(server: server.processID, postgres: fixture.postgresProcess)
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
        let alongside = try self.phones.run(self.plan, context)
        outcome.failures += alone.failures + alongside.failures
        return Runs(alone: alone, alongside: alongside)
    }
}
