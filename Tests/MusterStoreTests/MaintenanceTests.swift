import MusterCore
import MusterStore
import MusterTestSupport
import MusterWire
import Postgres
import Testing

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
