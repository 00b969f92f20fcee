import EventLoop
import MusterCommands

/// `muster bench tick`: one tick of the world with all due work, after a share of the users has moved.
///
/// It runs only the world, with the calls that the server makes. Reports are applied, time passes, gatherings are
/// evaluated, rosters get new versions, and their changes are encoded for the gateways. No sockets, no PostgreSQL; the
/// time is virtual.
struct TickBench: BenchKind {
    static let name = "tick"
    static let summary = "a tick of the world after some users moved, without sockets and PostgreSQL"
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
        // One tick per second of virtual time. The warm-up is long enough for positions to age and gatherings to begin.
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
        try await BenchFixture.blocking {
            var outcome = BenchOutcome()
            for number in 1...context.runs {
                context.progress.show("run \(number) of \(context.runs)")
                outcome.runs.append(try self.measure(seed: UInt64(number), context))
            }
            return outcome
        }
    }

    /// The durations of ticks and their parts.
    private struct Times {
        var iteration = LatencyHistogram()
        var receive = LatencyHistogram()
        var tick = LatencyHistogram()
        var publish = LatencyHistogram()
        var commit = LatencyHistogram()
        var quiet = LatencyHistogram()
    }

    /// Blocks.
    private func measure(seed: UInt64, _ context: BenchContext) throws(BenchError) -> [BenchFigure] {
        let clock = MonotonicClock.system
        var crowd = TickCrowd(groups: self.people / self.groupSize, size: self.groupSize, seed: seed)
        let movers = Int((Double(self.people) * self.moved / 100).rounded())
        for _ in 0..<self.warmUp {
            _ = crowd.tick(moving: crowd.moves(movers), timedBy: clock)
            crowd.commit()
        }
        var times = Times()
        var processor: Int64 = 0
        var changes = 0
        var bytes = 0
        for _ in 0..<self.ticks {
            try context.checkStop()
            let inputs = crowd.moves(movers)
            let usage = ProcessUsage.threadNanoseconds
            let start = clock.nanoseconds
            let iteration = crowd.tick(moving: inputs, timedBy: clock)
            processor += ProcessUsage.threadNanoseconds - usage
            times.iteration.add(iteration.published - start)
            times.receive.add(iteration.received - start)
            times.tick.add(iteration.ticked - iteration.received)
            times.publish.add(iteration.published - iteration.ticked)
            changes += iteration.changes
            bytes += iteration.bytes
            let end = clock.nanoseconds
            crowd.commit()
            times.commit.add(clock.nanoseconds - end)
        }
        for _ in 0..<max(1, self.ticks / 4) {
            let start = clock.nanoseconds
            times.quiet.add(crowd.tick(moving: [], timedBy: clock).published - start)
        }
        let count = Double(self.ticks)
        let move = Double(processor) / 1000 / count / Double(max(1, movers))
        return Self.figures("turn", "an iteration with a tick", times.iteration)
            + Self.figures("receive", "of it, processing inputs", times.receive)
            + Self.figures("tick", "of it, the tick", times.tick)
            + Self.figures("publish", "of it, publishing and encoding", times.publish)
            + [
                BenchFigure("turn_cpu_ms", "CPU time per iteration", Double(processor) / 1e6 / count, "ms"),
                BenchFigure("move_us", "CPU time per user who moved", move, "µs"),
                BenchFigure("moved", "users who moved per tick", Double(movers), ""),
                BenchFigure("changes", "changed rosters per tick", Double(changes) / count, ""),
                BenchFigure("encoded_bytes", "encoded bytes per tick", Double(bytes) / count, "bytes"),
            ]
            + Self.figures("commit", "acknowledging commits", times.commit)
            + Self.figures("quiet", "an iteration without movement", times.quiet)
    }

    private static func figures(_ key: String, _ name: String, _ times: LatencyHistogram) -> [BenchFigure] {
        [
            BenchFigure("\(key)_p50_ms", "\(name), p50", times.milliseconds(0.5), "ms"),
            BenchFigure("\(key)_p99_ms", "p99 of that", times.milliseconds(0.99), "ms"),
        ]
    }
}
