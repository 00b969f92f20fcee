import EventLoop
import MusterWire

/// Measures the cost of additional clients for a server with moving phones.
struct WatchesMeasurement {
    /// The frames that the additional clients received in one stretch.
    private struct Reception {
        var frames = 0
        var bytes = 0
        var longest = 0
    }

    /// The server time of one stretch, and the received frames.
    private struct Stretch {
        /// The CPU use in cores, over the measured interval.
        var cores = 0.0
        var sessions = 0
        var received = Reception()
        var threads = ""
    }

    /// The duration in seconds after which every wearable must have received something.
    private static let longEnough = 12.0

    private let bench: WatchesBench
    private let population: BenchPopulation
    private let server: ServerProcess
    private var phones: FanoutTrial
    private var outcome = BenchOutcome()

    /// Creates the phones; none is connected yet.
    init(_ bench: WatchesBench, _ population: BenchPopulation, _ server: ServerProcess, _ fixture: BenchFixture) {
        self.bench = bench
        self.population = population
        self.server = server
        let fleet = SessionFleet(bench.people, server: server.endpoint, handshake: MusterHandshake(population))
        self.phones = FanoutTrial(
            "phones",
            load: FanoutLoad(fleet, groupSize: bench.group, dialect: MusterDialect(population), walk: .together),
            sessions: fleet,
            meter: UsageMeter(server: server.processID, postgres: fixture.postgresProcess)
        )
    }

    /// Measures as many runs as the context requests.
    ///
    /// Blocks.
    mutating func run(_ context: BenchContext) throws(BenchError) -> BenchOutcome {
        try self.phones.enter(context)
        // Run until the gatherings have begun.
        _ = try self.phones.run(LoadPlan(rate: self.bench.rate, warmUp: 0, seconds: 3), context)
        for number in 1...context.runs {
            context.progress.step("run \(number) of \(context.runs)")
            // In alternating order, so that neither kind is always last.
            let order: [AudienceHandshake.Kind] = number.isMultiple(of: 2) ? [.watch, .full] : [.full, .watch]
            var stretches: [AudienceHandshake.Kind: Stretch] = [:]
            let alone = try self.measure(nil, context)
            for kind in order { stretches[kind] = try self.measure(kind, context) }
            let again = try self.measure(nil, context)
            guard let full = stretches[.full], let watches = stretches[.watch] else { break }
            self.outcome.runs.append(self.figures(alone: (alone.cores + again.cores) / 2, full, watches))
            if number == context.runs {
                self.outcome.notes.append("server threads with watch sessions: \(watches.threads)")
            }
        }
        self.outcome.notes.append(
            "CPU of phones: the server with phones only, before and after; CPU of others: what is added"
        )
        return self.outcome
    }

    private mutating func measure(
        _ kind: AudienceHandshake.Kind?,
        _ context: BenchContext
    ) throws(BenchError) -> Stretch {
        let plan = LoadPlan(rate: self.bench.rate, warmUp: self.bench.warmUp, seconds: self.bench.seconds)
        guard let kind else {
            let run = try self.phones.run(plan, context)
            self.outcome.failures += run.failures
            return Stretch(cores: run.serverCores)
        }
        let handshake = AudienceHandshake(kind, self.population, each: self.bench.each, groupSize: self.bench.group)
        let audience = SessionFleet(handshake.count, server: self.server.endpoint, handshake: handshake)
        var stretch = Stretch()
        stretch.sessions = handshake.count
        audience.onFrame = { _, frame in
            stretch.received.frames += 1
            stretch.received.bytes += frame.count
            stretch.received.longest = max(stretch.received.longest, frame.count)
        }
        try audience.connect(window: 64, context)
        try audience.listen(seconds: 1, context)
        stretch.received = Reception()
        self.phones.load.companion = audience
        let run = try self.phones.run(plan, context)
        self.phones.load.companion = nil
        audience.onFrame = { _, _ in }
        self.outcome.failures += run.failures
        if audience.dropped > 0 {
            self.outcome.failures.append("\(audience.dropped) \(kind.rawValue) sessions were dropped")
        }
        if stretch.received.frames == 0, kind == .full || self.bench.warmUp + self.bench.seconds > Self.longEnough {
            self.outcome.failures.append("no \(kind.rawValue) session received anything")
        }
        if kind == .watch, stretch.received.longest > 2_048 {
            self.outcome.failures.append("a glance has \(stretch.received.longest) bytes, which is more than the limit")
        }
        audience.cutAll()
        try self.phones.sessions.listen(seconds: 1, context)
        stretch.cores = run.serverCores
        stretch.threads = run.usage.threadShares
        return stretch
    }

    private func figures(alone: Double, _ full: Stretch, _ watches: Stretch) -> [BenchFigure] {
        let seconds = self.bench.warmUp + self.bench.seconds
        let (fullCount, watchCount) = (Double(full.sessions), Double(watches.sessions))
        let (fullShare, watchShare) = (full.cores - alone, watches.cores - alone)
        return [
            BenchFigure("phones_percent", "server CPU with phones only", alone * 100, "%"),
            BenchFigure("full_percent", "added by full clients", fullShare * 100, "%"),
            BenchFigure("watches_percent", "added by watch sessions", watchShare * 100, "%"),
            BenchFigure("ratio", "watch sessions to full clients", watchShare / fullShare, "×"),
            BenchFigure("full_us", "per full client and second", fullShare / fullCount * 1e6, "µs"),
            BenchFigure("watch_us", "per watch session and second", watchShare / watchCount * 1e6, "µs"),
            BenchFigure(
                "full_frames",
                "frames per full client",
                Double(full.received.frames) / fullCount / seconds,
                "/s"
            ),
            BenchFigure(
                "glances",
                "glances per watch session",
                Double(watches.received.frames) / watchCount / seconds * 60,
                "/min"
            ),
            BenchFigure(
                "glance_bytes",
                "bytes per glance",
                Double(watches.received.bytes) / Double(max(1, watches.received.frames)),
                "bytes"
            ),
        ]
    }
}
