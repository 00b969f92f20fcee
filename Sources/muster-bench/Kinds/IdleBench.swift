import EventLoop
import MusterCommands

/// `muster bench idle`: the cost of a session that sends nothing.
struct IdleBench: BenchKind {
    static let name = "idle"
    static let summary = "idle sessions: memory, connects per second, CPU time"
    static let optionNames: Set<String> = ["sessions", "group", "seconds", "gateways"]
    /// The number of sessions that are open before the measurement, so that one-time costs are excluded.
    private static let before = 100

    let sessions: Int
    let group: Int
    let seconds: Double
    let gateways: Int

    init(_ values: OptionValues) throws(UsageError) {
        self.group = try values.integer("group", in: 1...250)
        self.sessions = try values.integer("sessions", in: 2...200_000)
        // One whole ping interval, because sessions that connected together are pinged together.
        self.seconds = values.isGiven("seconds") ? try values.number("seconds", in: 0.5...600) : 25
        self.gateways = try values.integer("gateways", in: 1...64)
        guard self.sessions.isMultiple(of: self.group) else {
            throw UsageError("--sessions must be a multiple of --group")
        }
    }

    var parameters: [(name: String, value: String)] {
        [
            ("sessions", String(self.sessions)), ("group", String(self.group)),
            ("seconds", BenchFigure.plain(self.seconds)), ("gateways", String(self.gateways)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            let population = try await BenchPopulation.make(
                self.sessions,
                groupSize: self.group,
                in: fixture.directory,
                context
            )
            var outcome = BenchOutcome()
            // A new server for each run, because a server does not return memory to the system.
            for number in 1...context.runs {
                context.progress.step("run \(number) of \(context.runs)")
                let (figures, dropped) = try await fixture.withServer(
                    context,
                    sessions: self.sessions,
                    gateways: self.gateways
                ) { server in
                    try await BenchFixture.loading { try self.measure(population, server, fixture, context) }
                }
                outcome.runs.append(figures)
                if dropped > 0 { outcome.failures.append("\(dropped) sessions were dropped") }
            }
            return outcome
        }
    }

    /// Blocks.
    private func measure(
        _ population: BenchPopulation,
        _ server: ServerProcess,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> ([BenchFigure], dropped: Int) {
        let fleet = SessionFleet(self.sessions, server: server.endpoint, handshake: MusterHandshake(population))
        let meter = UsageMeter(server: server.processID, postgres: fixture.postgresProcess)
        let first = min(Self.before, self.sessions / 2)
        try fleet.connect(upTo: first, window: 64, context)
        let residentBefore = ProcessUsage.residentBytes(of: server.processID)
        let connecting = meter.read()
        try fleet.connect(window: 64, context)
        let connected = meter.read().since(connecting)
        // Wait for the traffic that the last connections have caused.
        try fleet.listen(seconds: min(2, self.seconds), context)
        let resident = ProcessUsage.residentBytes(of: server.processID)
        let listening = meter.read()
        context.progress.show("listening for \(BenchFigure.plain(self.seconds)) s")
        try fleet.listen(seconds: self.seconds, context)
        let used = meter.read().since(listening)
        let added = Double(self.sessions - first)
        let figures = [
            BenchFigure(
                "bytes_per_session",
                "memory per session",
                Double(resident - residentBefore) / added,
                "bytes"
            ),
            BenchFigure("server_resident_mb", "server memory", Double(resident) / 1e6, "MB"),
            BenchFigure(
                "connects_per_second",
                "connects with hello and roster",
                added / (Double(connected.nanoseconds) / 1e9),
                "/s"
            ),
            BenchFigure("connect_server_us", "server CPU per connect", Double(connected.server) / 1000 / added, "µs"),
            BenchFigure(
                "connect_postgres_us",
                "PostgreSQL CPU per connect",
                Double(connected.postgres) / 1000 / added,
                "µs"
            ),
            BenchFigure(
                "idle_server_percent",
                "server CPU while idle, pings included",
                Double(used.server) / Double(used.nanoseconds) * 100,
                "%"
            ),
        ]
        return (figures, fleet.dropped)
    }
}
