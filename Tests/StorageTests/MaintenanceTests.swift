import EventLoop
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct MaintenanceTests {
    @Test("partitions reach from the retention to the day after tomorrow, and old ones go with their fixes")
    func partitions() async throws {
        try await Store.with { store in
            func days() async throws -> [String] {
                try await store.pool.query(
                    """
                    SELECT c.relname AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                    WHERE i.inhparent = 'muster.fix'::regclass ORDER BY 1
                    """
                ).map { try $0.text("day") }
            }
            let first = try await days()
            #expect(first.count == 33)
            #expect(first.first == "fix_20241202")
            #expect(first.last == "fix_20250103")
            let arrival = try await store.arrival().arrival
            let journal = TestJournal(store)
            journal.submit([.fix(.sample(arrival.device, arrival.user.id, 1, at: store.now))])
            try await journal.finish()
            store.manual.advance(milliseconds: 31 * 86_400_000)
            try await store.directory.maintain()
            let later = try await days()
            #expect(later.count == 33)
            #expect(later.first == "fix_20250102")
            #expect(try await store.count("muster.fix") == 0)
            try await store.directory.maintain()
            #expect(try await days() == later)
        }
    }

    @Test("a partition that is missing since a clock was set is made at once, and no fix is refused")
    func missingPartition() async throws {
        try await Store.with(clock: .system) { store in
            let arrival = try await store.arrival().arrival
            let now = Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds)
            try await self.dropPartitions(store)
            let journal = TestJournal(store)
            journal.submit([
                .fix(.sample(arrival.device, arrival.user.id, 1, at: now)),
                .fix(.sample(arrival.device, arrival.user.id, 2, at: now - 2 * 86_400_000)),
            ])
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            #expect(try await store.count("muster.fix") == 2)
        }
    }

    @Test("while a missing partition cannot be made, the journal is not ready; then what waits is written")
    func unmakeablePartition() async throws {
        try await Store.with(clock: .system) { store in
            let arrival = try await store.arrival().arrival
            let now = Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds)
            try await self.dropPartitions(store)
            _ = try await store.pool.query("ALTER FUNCTION muster.make_fix_partitions(date, date) RENAME TO away")
            let journal = TestJournal(store)
            try await waitUntil { journal.journal.state == .ready }
            journal.submit([.fix(.sample(arrival.device, arrival.user.id, 1, at: now))])
            try await waitUntil { journal.log.contains { $0.contains("cannot write") } }
            #expect(journal.journal.state == .connecting)
            // Longer than the first retry intervals, so that several attempts have failed.
            try await waitUntil { journal.journal.metrics.reconnects > 3 }
            #expect(journal.log.count { $0.contains("cannot write") } == 1 && journal.journal.state == .connecting)
            _ = try await store.pool.query("ALTER FUNCTION muster.away(date, date) RENAME TO make_fix_partitions")
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            #expect(journal.log.count { $0.contains("writes again") } == 1)
            #expect(try await store.count("muster.fix") == 1)
        }
    }

    private func dropPartitions(_ store: Store) async throws {
        let partitions = try await store.pool.query(
            "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'muster.fix'::regclass"
        )
        for row in 0..<partitions.count {
            _ = try await store.pool.query("DROP TABLE \(try partitions[row].text("name"))")
        }
    }

    @Test("a device that was silent for 30 days is forgotten, unless the person's position is its own")
    func devices() async throws {
        try await Store.with { store in
            let idle = try await store.arrival("Idle").arrival
            let shown = try await store.arrival("Shown").arrival
            let journal = TestJournal(store)
            journal.submit([.position(shown.user.id, .sample(shown.device, at: store.now), .ok)])
            try await journal.finish()
            store.manual.advance(milliseconds: 29 * 86_400_000)
            let fresh = try await store.arrival("Fresh").arrival
            try await store.directory.maintain()
            #expect(try await store.count("muster.device") == 3)
            store.manual.advance(milliseconds: 86_400_000)
            try await store.directory.maintain()
            let left = try await store.pool.query("SELECT id FROM muster.device ORDER BY id").map { try $0.int64("id") }
            #expect(left == [shown.device, fresh.device].map(\.rawValue).sorted())
            #expect(!left.contains(idle.device.rawValue))
        }
    }
}
