/// Measures Muster and, if there is one, a relay alternately, so that both run under the same conditions.
struct FanoutMeasurement {
    /// The result of all runs.
    struct Result: Sendable {
        var outcome = BenchOutcome()
        /// The number of fixes sent to Muster.
        var sent = 0
        /// The number of these fixes that may be missing, because a search overloaded their sessions.
        var lost = 0
    }

    /// The CPU use of the load, in cores, from which the load itself may be the bottleneck.
    private static let busyLoad = 0.9

    private let bench: FanoutBench
    private let population: BenchPopulation
    private let server: ServerProcess
    private var muster: FanoutTrial
    private var relay: FanoutTrial?
    private var ourSearch: SustainSearch
    private var theirSearch: SustainSearch
    private var result = Result()

    /// Creates the sessions; none is connected yet.
    init(
        _ bench: FanoutBench,
        _ population: BenchPopulation,
        _ server: ServerProcess,
        _ relay: RelayProcess?,
        _ fixture: BenchFixture
    ) {
        self.bench = bench
        self.population = population
        self.server = server
        let fleet = SessionFleet(bench.sessions, server: server.endpoint, handshake: MusterHandshake(population))
        self.muster = FanoutTrial(
            "Muster",
            load: FanoutLoad(fleet, groupSize: bench.group, dialect: MusterDialect(population)),
            sessions: fleet,
            meter: UsageMeter(server: server.processID, postgres: fixture.postgresProcess)
        )
        if let relay, let relayProtocol = bench.baseline?.protocol {
            let handshake = RelayHandshake(relayProtocol, groupSize: bench.group)
            let fleet = SessionFleet(bench.sessions, server: relay.endpoint, handshake: handshake)
            self.relay = FanoutTrial(
                "relay",
                load: FanoutLoad(fleet, groupSize: bench.group, dialect: RelayDialect(relayProtocol)),
                sessions: fleet,
                meter: UsageMeter(server: relay.processID, postgres: nil)
            )
        }
        self.ourSearch = SustainSearch(first: bench.rate, warmUp: bench.warmUp, seconds: bench.seconds)
        self.theirSearch = self.ourSearch
    }

    /// Measures as many runs as the context requests, and finally compares the states of all clients.
    ///
    /// Blocks.
    mutating func run(_ context: BenchContext) throws -> Result {
        for number in 1...context.runs {
            context.progress.step("run \(number) of \(context.runs)")
            guard let ours = try Self.measure(self.bench, &self.muster, &self.ourSearch, &self.result.outcome, context)
            else { return self.finished() }
            var figures = ours.figures(group: self.bench.group)
            if var relay = self.relay {
                self.muster.leave()
                let theirs = try Self.measure(self.bench, &relay, &self.theirSearch, &self.result.outcome, context)
                relay.leave()
                self.relay = relay
                guard let theirs else { return self.finished() }
                let comparison = RelayComparison(ours: ours, theirs: theirs, isSustain: self.bench.isSustain)
                figures += comparison.figures
            }
            self.result.outcome.runs.append(figures)
            if number == context.runs { self.result.outcome.notes.append("server threads: \(ours.usage.threadShares)") }
        }
        try self.muster.enter(context)
        let (convergence, tally) = try Convergence.check(
            self.population,
            self.muster.load,
            rate: self.bench.rate,
            server: self.server.endpoint,
            context
        )
        self.result.sent += tally.sent
        if convergence.isReached {
            self.result.outcome.notes.append("converged: all clients and the server's rosters have the last fixes")
        } else {
            self.result.outcome.failures.append(
                "not converged: \(convergence.wrongMembers) members at clients and "
                    + "\(convergence.wrongRosterEntries) in the server's rosters"
            )
        }
        return self.finished()
    }

    /// Measures one server at the requested rate, or at the highest sustained rate.
    ///
    /// - Returns: nil when no rate is sustained.
    private static func measure(
        _ bench: FanoutBench,
        _ trial: inout FanoutTrial,
        _ search: inout SustainSearch,
        _ outcome: inout BenchOutcome,
        _ context: BenchContext
    ) throws(BenchError) -> FanoutRun? {
        let run: FanoutRun
        if bench.isSustain {
            guard let found = try search.run(&trial, context) else {
                outcome.failures.append("\(trial.name) sustained none of the tested rates")
                return nil
            }
            run = found
        } else {
            try trial.enter(context)
            run = try trial.run(LoadPlan(rate: bench.rate, warmUp: bench.warmUp, seconds: bench.seconds), context)
            context.progress.step("\(trial.name): \(BenchFigure.text(run.rate)) fixes/s: \(run.summary)")
        }
        outcome.failures += run.failures.map { "\(trial.name): \($0)" }
        if run.loadCores > Self.busyLoad {
            outcome.notes.append(
                "\(trial.name) at \(BenchFigure.text(run.rate)) fixes/s: the load took "
                    + "\(BenchFigure.text(run.loadCores)) cores, so the load may be the limit"
            )
        }
        return run
    }

    /// The result, with the numbers of sent and possibly missing fixes.
    private func finished() -> Result {
        var result = self.result
        result.sent += self.muster.sent
        result.lost = self.muster.unacknowledged
        return result
    }
}
