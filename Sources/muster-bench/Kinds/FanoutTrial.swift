/// One server under load: measures several rates with the same sessions, and records the cost of each.
struct FanoutTrial {
    /// The number of connections that are established at a time.
    private static let window = 256

    /// The server's name in the log.
    let name: String
    /// The load generator.
    let load: FanoutLoad
    /// The sessions of the load.
    let sessions: SessionFleet
    /// The meter of resource usage.
    let meter: UsageMeter
    /// The number of fixes sent so far, warm-ups included.
    private(set) var sent = 0
    /// The number of these fixes without an acknowledgement.
    private(set) var unacknowledged = 0

    /// Creates the load of a server; no session is connected yet.
    init(_ name: String, load: FanoutLoad, sessions: SessionFleet, meter: UsageMeter) {
        self.name = name
        self.load = load
        self.sessions = sessions
        self.meter = meter
    }

    /// Connects all disconnected sessions, and waits until the resulting traffic is over.
    func enter(_ context: BenchContext) throws(BenchError) {
        guard self.sessions.readyCount < self.sessions.count else { return }
        try self.sessions.connect(window: Self.window, context)
        try self.sessions.listen(seconds: 1, context)
    }

    /// Closes all sessions, so that they cost nothing while another server is measured.
    func leave() { self.sessions.cutAll() }

    /// Measures one run.
    mutating func run(_ plan: LoadPlan, _ context: BenchContext) throws(BenchError) -> FanoutRun {
        context.progress.show("\(self.name): \(BenchFigure.text(plan.rate)) fixes/s")
        var marks: [(tally: FanoutTally, bytes: Int, sample: UsageMeter.Sample)] = []
        let tally = try self.load.run(plan, context, marker: { marks.append(($0, $1, self.meter.read())) })
        self.sent += tally.sent
        self.unacknowledged += tally.unacknowledged
        guard let first = marks.first, let last = marks.last else { preconditionFailure("a run has two marks") }
        return FanoutRun(
            rate: plan.rate,
            tally: tally,
            usage: last.sample.since(first.sample),
            fixes: last.tally.sent - first.tally.sent,
            positions: last.tally.positions - first.tally.positions,
            frames: last.tally.frames - first.tally.frames,
            bytes: last.bytes - first.bytes,
            resident: ProcessUsage.residentBytes(of: self.meter.server)
        )
    }
}
