import EventLoop
import MusterServer
import Synchronization

/// Measures the commit latency of the journal for small portions at a steady rate, far below its capacity.
enum CommitDelay {
    private static let fixes = 100
    private static let interval: Int64 = 10_000_000

    private struct Waiting {
        var submitted: [(number: Int64, due: Int64)] = []
        var delays = LatencyHistogram()
    }

    /// Submits portions for `seconds` and measures each from its due time to its commit; blocks.
    static func measure(
        _ rows: inout FixRows,
        seconds: Double,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> LatencyHistogram {
        let clock = MonotonicClock.system
        let waiting = Mutex(Waiting())
        let wake = WakeSignal()
        let journal = Journal(Journal.Configuration(connectionString: fixture.connectionString)) { through, _, _ in
            let now = clock.nanoseconds
            waiting.withLock { waiting in
                let passed = waiting.submitted.prefix { $0.number <= through }
                for portion in passed { waiting.delays.add(now - portion.due) }
                waiting.submitted.removeFirst(passed.count)
            }
        }
        defer { journal.close() }
        for _ in 0..<1000 where journal.state != .ready { wake.wait(timeoutMilliseconds: 10) }
        var entries: [JournalEntry] = []
        var due = clock.nanoseconds
        for _ in 0..<Int(seconds * 1e9) / Int(self.interval) {
            due += self.interval
            while clock.nanoseconds < due {
                wake.wait(timeoutMilliseconds: Int32((due - clock.nanoseconds) / 1_000_000))
            }
            let backlog = journal.metrics.waiting
            rows.makeEntries(self.fixes, now: clock.wallMilliseconds, backlog: backlog, into: &entries)
            waiting.withLock { $0.submitted.append((number: rows.lastRecord, due: due)) }
            journal.submit(&entries)
            try context.checkStop()
        }
        guard journal.flush(timeout: .seconds(60)) else { throw BenchError("the journal was not flushed within 60 s") }
        return waiting.withLock(\.delays)
    }
}
