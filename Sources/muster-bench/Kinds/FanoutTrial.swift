/// One server under load: runs one rate after another on the same sessions, and notes what each cost.
struct FanoutTrial {
    /// How many connections are on the way at a time.
    private static let window = 256

    /// What the server is called in the log.
    let name: String
    /// The sender and the measurer.
    let load: FanoutLoad
    /// The sessions that it uses.
    let sessions: SessionFleet
    /// Who uses how much.
    let meter: UsageMeter
    /// Fixes sent so far, warm-ups included.
    private(set) var sent = 0
    /// Fixes of those that were never acknowledged.
    private(set) var unacknowledged = 0

    /// Prepares a server's load; nobody is connected yet.
    init(_ name: String, load: FanoutLoad, sessions: SessionFleet, meter: UsageMeter) {
        self.name = name
        self.load = load
        self.sessions = sessions
        self.meter = meter
    }

    /// Connects everybody who is away, and waits until what that leads to is over.
    func enter(_ context: BenchContext) throws(BenchError) {
        guard self.sessions.readyCount < self.sessions.count else { return }
        try self.sessions.connect(window: Self.window, context)
        try self.sessions.listen(seconds: 1, context)
    }

    /// Ends all sessions, so that they cost nothing while another server is measured.
    func leave() { self.sessions.cutAll() }

    /// Measures once.
    mutating func run(_ plan: LoadPlan, _ context: BenchContext) throws(BenchError) -> FanoutRun {
        context.progress.show("\(self.name): \(BenchFigure.text(plan.rate)) fixes/s")
        var marks: [(tally: FanoutTally, bytes: Int, reading: UsageMeter.Reading)] = []
        let tally = try self.load.run(plan, context, marker: { marks.append(($0, $1, self.meter.read())) })
        self.sent += tally.sent
        self.unacknowledged += tally.unacknowledged
        guard let first = marks.first, let last = marks.last else { preconditionFailure("a run has two marks") }
        return FanoutRun(
            rate: plan.rate,
            tally: tally,
            usage: last.reading.since(first.reading),
            fixes: last.tally.sent - first.tally.sent,
            positions: last.tally.positions - first.tally.positions,
            frames: last.tally.frames - first.tally.frames,
            bytes: last.bytes - first.bytes,
            resident: ProcessUsage.residentBytes(of: self.meter.server)
        )
    }
}
