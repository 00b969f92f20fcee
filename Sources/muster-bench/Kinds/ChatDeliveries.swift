import EventLoop
import Postgres

/// Measures messages through a whole server, from all members of rooms to all other members.
///
/// It finds the highest sustained rate, in comparison with a relay that stores nothing. At a tenth of that rate it
/// measures the latency of a message, in comparison with a single `INSERT`.
struct ChatDeliveries {
    /// The number of timed commits.
    private static let loneCommits = 200

    let rooms: Int
    let group: Int
    /// The first rate, the warm-up and the duration.
    let plan: LoadPlan
    let gateways: Int
    /// The maximum p99 staleness of a sustained rate, in milliseconds.
    let staleness: Double
    let baseline: (command: String, protocol: RelayProtocol)?

    /// Measures as many runs as the context requests.
    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            let sessions = self.rooms * self.group
            let population = try await BenchPopulation.make(
                sessions,
                groupSize: self.group,
                in: fixture.directory,
                context
            )
            return try await fixture.withServer(context, sessions: sessions, gateways: self.gateways) { server in
                var outcome = try await RelayProcess.with(command: self.baseline?.command) { relay in
                    try await BenchFixture.loading { try self.measure(population, server, relay, fixture, context) }
                }
                let holes = try await fixture.number(
                    """
                    SELECT count(*) AS number FROM muster.room r
                    WHERE r.last_seq <> (SELECT count(*) FROM muster.message m WHERE m.room_id = r.id)
                    """
                )
                if holes > 0 { outcome.failures.append("\(holes) rooms have gaps in their numbers") }
                outcome.notes += fixture.serverWarnings.map { "server: \($0)" }
                return outcome
            }
        }
    }

    /// Blocks.
    private func measure(
        _ population: BenchPopulation,
        _ server: ServerProcess,
        _ relay: RelayProcess?,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> BenchOutcome {
        var outcome = BenchOutcome()
        var muster = self.muster(population, server, fixture)
        var ours = SustainSearch(
            first: self.plan.rate,
            warmUp: self.plan.warmUp,
            seconds: self.plan.seconds,
            staleness: self.staleness
        )
        var theirs = ours
        for number in 1...context.runs {
            context.progress.step("run \(number) of \(context.runs): deliveries")
            guard let run = try ours.run(&muster, context) else {
                throw BenchError("Muster sustained none of the tested rates")
            }
            outcome.failures += run.failures
            var figures = self.figures(run)
            figures += try self.tenth(of: run.rate, &muster, &outcome, fixture, context)
            if var relay = self.relay(relay) {
                muster.leave()
                guard let other = try theirs.run(&relay, context) else {
                    throw BenchError("the relay sustained none of the tested rates")
                }
                relay.leave()
                outcome.failures += other.failures.map { "relay: \($0)" }
                let deliveries = Self.deliveries(other)
                figures += [
                    BenchFigure("relay_deliveries_per_second", "relay: deliveries", deliveries, "/s"),
                    BenchFigure("relay_cores", "relay: CPU", other.serverCores, "cores"),
                    BenchFigure("relay_load_cores", "relay: load CPU", other.loadCores, "cores"),
                    BenchFigure(
                        "relay_ratio",
                        "deliveries relative to the relay",
                        Self.deliveries(run) / deliveries,
                        "×"
                    ),
                ]
            }
            outcome.runs.append(figures)
            if number == context.runs { outcome.notes.append("server threads: \(run.usage.threadShares)") }
        }
        return outcome
    }

    private func muster(_ population: BenchPopulation, _ server: ServerProcess, _ fixture: BenchFixture) -> FanoutTrial
    {
        let (group, groups) = (self.group, population.groups)
        let handshake = RoomsHandshake(tokens: population.people.map(\.token)) { [groups[$0 / group]] }
        let fleet = SessionFleet(population.people.count, server: server.endpoint, handshake: handshake)
        return FanoutTrial(
            "Muster",
            load: FanoutLoad(fleet, groupSize: group, dialect: ChatDialect(population)),
            sessions: fleet,
            meter: UsageMeter(server: server.processID, postgres: fixture.postgresProcess)
        )
    }

    private func relay(_ relay: RelayProcess?) -> FanoutTrial? {
        guard let relay, let relayProtocol = self.baseline?.protocol else { return nil }
        let fleet = SessionFleet(
            self.rooms * self.group,
            server: relay.endpoint,
            handshake: RelayHandshake(relayProtocol, groupSize: self.group)
        )
        return FanoutTrial(
            "relay",
            load: FanoutLoad(fleet, groupSize: self.group, dialect: RelayDialect(relayProtocol)),
            sessions: fleet,
            meter: UsageMeter(server: relay.processID, postgres: nil)
        )
    }

    /// Measures a tenth of a rate, with single `INSERT`s before and after it.
    private func tenth(
        of rate: Double,
        _ muster: inout FanoutTrial,
        _ outcome: inout BenchOutcome,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> [BenchFigure] {
        try muster.enter(context)
        var lone = try Self.loneInserts(fixture)
        let run = try muster.run(
            LoadPlan(rate: rate / 10, warmUp: self.plan.warmUp, seconds: self.plan.seconds),
            context
        )
        outcome.failures += run.failures
        lone += try Self.loneInserts(fixture)
        lone.sort()
        let insert = lone[lone.count / 2]
        let (half, most) = (run.tally.commitLag.milliseconds(0.5), run.tally.commitLag.milliseconds(0.99))
        return [
            BenchFigure("insert_p50_ms", "commit of a single INSERT, p50", insert, "ms"),
            BenchFigure("tenth_p50_ms", "at a tenth of the rate: time to answer p50", half, "ms"),
            BenchFigure("tenth_p99_ms", "at a tenth of the rate: time to answer p99", most, "ms"),
            BenchFigure(
                "tenth_seen_p50_ms",
                "at a tenth of the rate: time to delivery p50",
                run.tally.staleness.milliseconds(0.5),
                "ms"
            ),
            BenchFigure("tenth_p50_ratio", "p50 relative to the single INSERT", half / insert, "×"),
            BenchFigure("tenth_p99_ratio", "p99 relative to p50 of the single INSERT", most / insert, "×"),
        ]
    }

    /// The durations in milliseconds of inserting single rows into a table with only a primary key; blocks.
    private static func loneInserts(_ fixture: BenchFixture) throws -> [Double] {
        let clock = MonotonicClock.system
        let session = PostgresSession(connectionString: fixture.connectionString)
        try session.connect()
        defer { session.close() }
        try session.execute("CREATE TABLE IF NOT EXISTS bench_line (id bigserial PRIMARY KEY, text text NOT NULL)")
        return try (0..<Self.loneCommits).map { _ in
            let start = clock.nanoseconds
            try session.execute("INSERT INTO bench_line (text) VALUES ($1)", [.text("On my way, ten minutes")])
            return Double(clock.nanoseconds - start) / 1e6
        }
    }

    private static func deliveries(_ run: FanoutRun) -> Double {
        Double(run.positions) / (Double(run.usage.nanoseconds) / 1e9)
    }

    private func figures(_ run: FanoutRun) -> [BenchFigure] {
        [
            BenchFigure(
                "sent_per_second",
                "\(self.rooms) rooms of \(self.group): messages in",
                run.fixesPerSecond,
                "/s"
            ),
            BenchFigure("deliveries_per_second", "deliveries", Self.deliveries(run), "/s"),
            BenchFigure(
                "deliveries_per_message",
                "deliveries per message, with warm-up",
                Double(run.tally.positions) / Double(run.tally.sent),
                ""
            ),
            BenchFigure("seen_p99_ms", "time to delivery p99", run.tally.staleness.milliseconds(0.99), "ms"),
            BenchFigure("answered_p99_ms", "answered p99", run.tally.commitLag.milliseconds(0.99), "ms"),
            BenchFigure("server_cores", "server CPU", run.serverCores, "cores"),
            BenchFigure(
                "postgres_cores",
                "PostgreSQL CPU",
                Double(run.usage.postgres) / Double(run.usage.nanoseconds),
                "cores"
            ),
            BenchFigure("load_cores", "load CPU", run.loadCores, "cores"),
        ]
    }
}
