import EventLoop
import Glibc
import MusterCommands
import MusterCore

/// `muster bench spots`: notifications of new spots for many moving subscribers, with a linear scan as the baseline.
///
/// It runs only the world, with the calls that the server makes, in real time. Each fix and each spot has a due time. A
/// push is complete when the frames of all its sessions are encoded. No sockets, no PostgreSQL.
struct SpotsBench: BenchKind {
    static let name = "spots"
    static let summary = "pushes of new spots to moving subscribers nearby, against a scan over all of them"
    static let optionNames: Set<String> = ["sessions", "rate", "spots", "radius", "seconds"]

    let people: Int
    let rate: Double
    let spots: Double
    let radius: Double
    let seconds: Double

    init(_ values: OptionValues) throws(UsageError) {
        self.people = values.isGiven("sessions") ? try values.integer("sessions", in: 100...4_000_000) : 100_000
        self.rate = values.isGiven("rate") ? try values.number("rate", in: 1...1_000_000) : 10_000
        self.spots = try values.number("spots", in: 1...10_000)
        self.radius = try values.number("radius", in: 100...50_000)
        self.seconds = try values.number("seconds", in: 0.5...3600)
    }

    var parameters: [(name: String, value: String)] {
        [
            ("subscribers", String(self.people)), ("radius", "\(BenchFigure.plain(self.radius)) m"),
            ("fixes", "\(BenchFigure.plain(self.rate))/s"), ("new spots", "\(BenchFigure.plain(self.spots))/s"),
            ("seconds", BenchFigure.plain(self.seconds)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.blocking {
            var outcome = BenchOutcome()
            for number in 1...context.runs {
                context.progress.show("run \(number) of \(context.runs)")
                outcome.runs.append(try self.measure(seed: UInt64(number), context))
            }
            outcome.notes.append(
                "CPU for spots: finding and encoding the pushes, and the index update per fix; "
                    + "the scan uses the same subscribers and the same distance test"
            )
            return outcome
        }
    }

    /// Blocks.
    private func measure(seed: UInt64, _ context: BenchContext) throws(BenchError) -> [BenchFigure] {
        let clock = MonotonicClock.system
        var crowd = SpotsCrowd(people: self.people, radius: self.radius, seed: seed)
        var delays = LatencyHistogram()
        var (pushing, fixing): (Int64, Int64) = (0, 0)
        var (spots, fixes, frames, bytes) = (0, 0, 0, 0)
        let start = clock.nanoseconds
        var ticks = 0
        while true {
            try context.checkStop()
            let elapsed = Double(clock.nanoseconds - start) / 1e9
            guard elapsed < self.seconds else { break }
            let before = ProcessUsage.threadNanoseconds
            let due = Int(elapsed * self.rate) - fixes
            fixes += due
            crowd.move(due)
            if Int(elapsed) > ticks {
                ticks += 1
                crowd.tick()
            }
            var now = ProcessUsage.threadNanoseconds
            fixing += now - before
            let dueSpots = Int(elapsed * self.spots) - spots
            for _ in 0..<dueSpots {
                let push = crowd.addSpot()
                frames += push.frames
                bytes += push.bytes
                spots += 1
                // Spot number n is due after n / rate seconds.
                delays.add(clock.nanoseconds - start - Int64(Double(spots) / self.spots * 1e9))
            }
            pushing += ProcessUsage.threadNanoseconds - now
            now = ProcessUsage.threadNanoseconds
            if due + dueSpots == 0 { usleep(500) }
        }
        let search = crowd.compareSearches(clock: clock)
        let seconds = Double(clock.nanoseconds - start) / 1e9 - search.seconds
        let upkeep = search.moveNanoseconds * Double(fixes)
        let share = (Double(pushing) + upkeep) / 1e9 / seconds * 100
        let whole = Double(pushing + fixing) / 1e9 / seconds * 100
        return [
            BenchFigure(
                "push_p50_ms",
                "delay of a push from when the spot was due, p50",
                delays.milliseconds(0.5),
                "ms"
            ),
            BenchFigure("push_p99_ms", "p99 of that", delays.milliseconds(0.99), "ms"),
            BenchFigure("spots_percent", "CPU for spots", share, "%"),
            BenchFigure("world_percent", "CPU of the world, with all fixes", whole, "%"),
            BenchFigure("push_us", "CPU time per push", Double(pushing) / 1e3 / Double(max(1, spots)), "µs"),
            BenchFigure("told", "sessions per push", Double(frames) / Double(max(1, spots)), ""),
            BenchFigure("frame_bytes", "bytes per frame", Double(bytes) / Double(max(1, frames)), "bytes"),
            BenchFigure("move_ns", "index: update per fix", search.moveNanoseconds, "ns"),
            BenchFigure("find_us", "index: search for subscribers", search.findNanoseconds / 1e3, "µs"),
            BenchFigure("scan_us", "scan: the same search", search.scanNanoseconds / 1e3, "µs"),
            BenchFigure("ratio", "index to scan", search.scanNanoseconds / search.findNanoseconds, "×"),
            BenchFigure("wrong", "searches with different results", Double(search.wrong), ""),
        ]
    }
}
