import EventLoop
import MusterCommands

/// `muster bench storm`: all sessions are disconnected at once and return at once, with their resume state.
struct StormBench: BenchKind {
    static let name = "storm"
    static let summary = "all sessions disconnected at once and resumed: time and memory"
    static let optionNames: Set<String> = ["sessions", "group", "gateways"]
    /// The number of descriptors that the server needs for other purposes.
    private static let others = 400

    let sessions: Int
    let group: Int
    let gateways: Int

    init(_ values: OptionValues) throws(UsageError) {
        self.group = try values.integer("group", in: 1...250)
        self.sessions = try values.integer("sessions", in: 2...200_000)
        self.gateways = try values.integer("gateways", in: 1...64)
        guard self.sessions.isMultiple(of: self.group) else {
            throw UsageError("--sessions must be a multiple of --group")
        }
    }

    var parameters: [(name: String, value: String)] {
        [
            ("sessions", String(self.sessions)), ("group", String(self.group)), ("gateways", String(self.gateways)),
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
            // Capacity for all sessions twice, as far as the machine allows: the old sockets are still open when the
            // new ones arrive. A rejected client tries again, as real clients do, and the report counts these attempts.
            let room = max(self.sessions, min(self.sessions * 2, ProcessUsage.descriptorLimit - Self.others))
            var outcome = try await fixture.withServer(context, sessions: room, gateways: self.gateways) { server in
                try await BenchFixture.loading { try self.measure(population, server, fixture, context) }
            }
            if room < self.sessions * 2 { outcome.notes.append("file descriptors limit the server to \(room) sockets") }
            return outcome
        }
    }

    /// Blocks.
    private func measure(
        _ population: BenchPopulation,
        _ server: ServerProcess,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> BenchOutcome {
        let clock = MonotonicClock.system
        let handshake = MusterHandshake(population)
        let fleet = SessionFleet(self.sessions, server: server.endpoint, handshake: handshake)
        fleet.onFrame = { session, frame in handshake.noteVersion(session, frame) }
        let meter = UsageMeter(server: server.processID, postgres: fixture.postgresProcess)
        try fleet.connect(window: 256, context)
        handshake.resumes = true
        var outcome = BenchOutcome()
        for number in 1...context.runs {
            // Wait for the traffic that the last connections have caused.
            try fleet.listen(seconds: 1, context)
            context.progress.show("storm \(number) of \(context.runs)")
            let resident = ProcessUsage.residentBytes(of: server.processID)
            ProcessUsage.resetPeak(of: server.processID)
            let failed = fleet.failedAttempts
            let start = clock.nanoseconds
            let sample = meter.read()
            fleet.cutAll()
            try fleet.connect(window: self.sessions, context)
            let used = meter.read().since(sample)
            var back = LatencyHistogram()
            for moment in fleet.readyAt { back.add(moment - start) }
            let peak = ProcessUsage.peakResidentBytes(of: server.processID)
            outcome.runs.append([
                BenchFigure("back_p50_ms", "back with roster p50", back.milliseconds(0.5), "ms"),
                BenchFigure("back_p99_ms", "back with roster p99", back.milliseconds(0.99), "ms"),
                BenchFigure("back_last_ms", "last session back after", Double(back.longest) / 1e6, "ms"),
                BenchFigure("resident_before_mb", "server memory before", Double(resident) / 1e6, "MB"),
                BenchFigure("resident_peak_mb", "server memory at its peak", Double(peak) / 1e6, "MB"),
                BenchFigure("peak_ratio", "peak to before", Double(peak) / Double(resident), "×"),
                BenchFigure("retries", "attempts that failed", Double(fleet.failedAttempts - failed), ""),
                BenchFigure(
                    "server_us_per_session",
                    "server CPU per session",
                    Double(used.server) / 1000 / Double(self.sessions),
                    "µs"
                ),
            ])
        }
        if fleet.dropped > 0 {
            outcome.failures.append("\(fleet.dropped) sessions were dropped; last error: \(fleet.lastEnd)")
        }
        outcome.notes += fixture.serverWarnings.map { "server: \($0)" }
        return outcome
    }
}
