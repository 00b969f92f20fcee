import EventLoop

/// `muster bench fanout`: fixes in, the newest state of every member out to every other, all of it committed.
struct FanoutBench: BenchKind {
    static let name = "fanout"
    static let summary = "fixes from everybody at a rate, seen by their groups and committed"
    static let optionNames: Set<String> = [
        "sessions", "group", "rate", "seconds", "warm-up", "gateways", "sustain",
    ]

    let sessions: Int
    let group: Int
    let rate: Double
    let seconds: Double
    let warmUp: Double
    let gateways: Int
    let isSustain: Bool

    init(_ values: OptionValues) throws(UsageError) {
        self.group = try values.integer("group", in: 2...250)
        self.sessions = try values.integer("sessions", in: 2...200_000)
        self.rate = try values.number("rate", in: 1...10_000_000)
        self.seconds = try values.number("seconds", in: 0.5...600)
        self.warmUp = try values.number("warm-up", in: 0...60)
        self.gateways = try values.integer("gateways", in: 1...64)
        self.isSustain = values.flag("sustain")
        guard self.sessions.isMultiple(of: self.group) else {
            throw UsageError("--sessions must be a multiple of --group")
        }
    }

    var parameters: [(name: String, value: String)] {
        [
            ("sessions", String(self.sessions)), ("group", String(self.group)),
            (self.isSustain ? "first rate" : "rate", BenchFigure.plain(self.rate)),
            ("seconds", BenchFigure.plain(self.seconds)), ("warm-up", BenchFigure.plain(self.warmUp)),
            ("gateways", String(self.gateways)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchStage.with(context) { stage in
            let population = try await BenchPopulation.make(
                self.sessions,
                groupSize: self.group,
                in: stage.directory,
                context
            )
            return try await stage.withServer(context, sessions: self.sessions, gateways: self.gateways) { server in
                var (outcome, sent) = try await BenchStage.blocking {
                    try self.measure(population, server, stage, context)
                }
                let stored = try await stage.number("SELECT count(*) AS number FROM muster.fix")
                if stored != sent { outcome.failures.append("\(sent) fixes were sent, \(stored) are in muster.fix") }
                outcome.notes.append("\(stored) of \(sent) fixes are in muster.fix")
                if !server.isRunning { outcome.failures.append("the server ended by itself") }
                outcome.notes += stage.serverWarnings.map { "server: \($0)" }
                return outcome
            }
        }
    }

    /// Blocks.
    ///
    /// - Returns: also the number of fixes that were sent.
    private func measure(
        _ population: BenchPopulation,
        _ server: ServerProcess,
        _ stage: BenchStage,
        _ context: BenchContext
    ) throws -> (BenchOutcome, sent: Int) {
        let fleet = SessionFleet(population, server: server.endpoint)
        try fleet.connect(window: 256, context)
        let meter = UsageMeter(server: server.processID, postgres: stage.postgresProcess)
        var trial = FanoutTrial(load: FanoutLoad(fleet), sessions: fleet, meter: meter)
        var outcome = BenchOutcome()
        var found = self.rate
        if self.isSustain {
            let search = SustainSearch(first: self.rate, warmUp: self.warmUp, seconds: self.seconds)
            guard let highest = try search.run(&trial, context) else {
                outcome.failures.append("not even \(BenchFigure.plain(search.lowest)) fixes/s were sustained")
                return (outcome, trial.sent)
            }
            found = highest
        }
        var rate = found
        while outcome.runs.count < context.runs {
            context.progress.show("run \(outcome.runs.count + 1) of \(context.runs), \(BenchFigure.text(rate)) fixes/s")
            let run = try trial.run(rate: rate, warmUp: self.warmUp, seconds: self.seconds, context)
            context.progress.step("\(BenchFigure.text(rate)) fixes/s: \(run.summary)")
            if self.isSustain, !run.isSustained {
                // What the search found by luck counts for nothing: every run must hold.
                rate *= 0.95
                outcome.runs.removeAll()
                guard rate > found / 2 else { throw BenchError("no rate held for \(context.runs) runs") }
                continue
            }
            outcome.runs.append(run.figures(group: self.group))
            outcome.failures += run.failures
            if outcome.runs.count == context.runs { outcome.notes.append("server threads: \(run.usage.threadShares)") }
        }
        let (convergence, tally) = try Convergence.check(
            fleet,
            trial.load,
            rate: self.rate,
            server: server.endpoint,
            context
        )
        if convergence.isReached {
            outcome.notes.append("converged: every client and the server's rosters hold what was sent last")
        } else {
            outcome.failures.append(
                "not converged: \(convergence.wrongMembers) members at clients, "
                    + "\(convergence.wrongRosterEntries) in the server's rosters"
            )
        }
        return (outcome, trial.sent + tally.sent)
    }
}
