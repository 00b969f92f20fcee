import EventLoop

/// `muster bench tick`: one turn of the world with everything that is due, some of its people having moved.
///
/// The world alone, by the calls that the server makes: reports are applied, time passes, gatherings are decided, rosters
/// get their versions, and what changed in them is encoded for the gateways. No sockets, no PostgreSQL; time is virtual.
struct TickBench: BenchKind {
    static let name = "tick"
    static let summary = "the world's turn with a share of its people having moved, without sockets and PostgreSQL"
    static let optionNames: Set<String> = ["sessions", "group", "moved", "seconds", "warm-up"]

    let people: Int
    let groupSize: Int
    let moved: Double
    let ticks: Int
    let warmUp: Int

    init(_ values: OptionValues) throws(UsageError) {
        self.people = values.isGiven("sessions") ? try values.integer("sessions", in: 2...4_000_000) : 100_000
        self.groupSize = try values.integer("group", in: 2...250)
        self.moved = try values.number("moved", in: 0...100)
        // One a second of virtual time. Enough for all positions to age and gatherings to begin before it counts.
        self.ticks = values.isGiven("seconds") ? Int(try values.number("seconds", in: 1...10_000)) : 200
        self.warmUp = values.isGiven("warm-up") ? Int(try values.number("warm-up", in: 0...60)) : 60
        guard self.people.isMultiple(of: self.groupSize) else {
            throw UsageError("--sessions must be a multiple of --group")
        }
    }

    var parameters: [(name: String, value: String)] {
        [
            ("people", String(self.people)), ("group", String(self.groupSize)),
            ("moved", "\(BenchFigure.plain(self.moved)) % a tick"), ("ticks", String(self.ticks)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchStage.blocking {
            var outcome = BenchOutcome()
            for number in 1...context.runs {
                context.progress.show("run \(number) of \(context.runs)")
                outcome.runs.append(try self.measure(seed: UInt64(number), context))
            }
            return outcome
        }
    }

    /// Blocks.
    private func measure(seed: UInt64, _ context: BenchContext) throws(BenchError) -> [BenchFigure] {
        let clock = MonotonicClock.system
        var crowd = TickCrowd(groups: self.people / self.groupSize, size: self.groupSize, seed: seed)
        let movers = Int((Double(self.people) * self.moved / 100).rounded())
        for _ in 0..<self.warmUp {
            _ = crowd.tick(moving: crowd.moves(movers))
            crowd.commit()
        }
        var busy = LatencyHistogram()
        var quiet = LatencyHistogram()
        var commits = LatencyHistogram()
        var processor: Int64 = 0
        var changes = 0
        var bytes = 0
        for _ in 0..<self.ticks {
            try context.checkStop()
            let inputs = crowd.moves(movers)
            let usage = ProcessUsage.threadNanoseconds
            let start = clock.nanoseconds
            let turn = crowd.tick(moving: inputs)
            let end = clock.nanoseconds
            processor += ProcessUsage.threadNanoseconds - usage
            busy.add(end - start)
            changes += turn.changes
            bytes += turn.bytes
            crowd.commit()
            commits.add(clock.nanoseconds - end)
        }
        for _ in 0..<max(1, self.ticks / 4) {
            let start = clock.nanoseconds
            _ = crowd.tick()
            quiet.add(clock.nanoseconds - start)
        }
        let count = Double(self.ticks)
        return [
            BenchFigure("tick_p50_ms", "a turn with a tick, p50", busy.milliseconds(0.5), "ms"),
            BenchFigure("tick_p99_ms", "p99", busy.milliseconds(0.99), "ms"),
            BenchFigure("tick_cpu_ms", "processor time of a turn", Double(processor) / 1e6 / count, "ms"),
            BenchFigure(
                "move_us",
                "the same for each who moved",
                Double(processor) / 1000 / count / Double(max(1, movers)),
                "µs"
            ),
            BenchFigure("moved", "people who moved, a tick", Double(movers), ""),
            BenchFigure("changes", "rosters that changed, a tick", Double(changes) / count, ""),
            BenchFigure("encoded_bytes", "bytes encoded, a tick", Double(bytes) / count, "bytes"),
            BenchFigure("commit_p50_ms", "telling them that it is stored, p50", commits.milliseconds(0.5), "ms"),
            BenchFigure("quiet_p50_ms", "a tick in which nobody moved, p50", quiet.milliseconds(0.5), "ms"),
            BenchFigure("quiet_p99_ms", "p99 of that", quiet.milliseconds(0.99), "ms"),
        ]
    }
}
