import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct JournalRefusalTests {
    @Test("a record that cannot be written stands alone, and everything around it lands")
    func badRecords() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let group = try await store.directory.createGroup(name: "One", by: arrival.user.id)
            var alert = LeftWithoutYou.sample(user: arrival.user.id, group: group.id, at: store.now)
            alert.place.name = "nul\u{0}"
            let bad = NotificationRecord(user: alert.user, content: alert.content)
            let journal = TestJournal(store)
            var records: [JournalRecord] = (1...1000).map {
                .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now))
            }
            // A fix without a partition, one with invalid coordinates, and a text that PostgreSQL rejects.
            records[299] = .fix(.sample(arrival.device, arrival.user.id, 300, at: Timestamp(milliseconds: 0)))
            var offGlobe = FixRecord.sample(arrival.device, arrival.user.id, 301, at: store.now)
            offGlobe.fix.coordinate.latitude = 91
            records[300] = .fix(offGlobe)
            records[600] = .notification(bad)
            journal.submit(records)
            try await journal.finish()
            #expect(journal.failed == [300, 301, 601])
            #expect(journal.committed.last == 1000)
            #expect(try await store.count("muster.fix") == 997)
            #expect(journal.log.count { $0.contains("cannot be written") } == 3)
            #expect(journal.journal.metrics.failed == 3)
        }
    }

    @Test("a device's progress stays below a fix that could not be written, until that fix is")
    func progressStopsBelowRefused() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            func fix(_ sequence: Int64, at: Timestamp? = nil) -> JournalRecord {
                .fix(.sample(arrival.device, arrival.user.id, sequence, at: at ?? store.now))
            }
            func progress() async throws -> Int64 {
                let result = try await store.pool.query("SELECT acked_seq FROM muster.device")
                return try #require(result.first).int64("acked_seq")
            }
            let journal = TestJournal(store)
            journal.submit([fix(1), fix(2, at: Timestamp(milliseconds: 0)), fix(3)])
            journal.submit([fix(4)])
            try await waitUntil { journal.committed.last == 4 }
            #expect(try await progress() == 1)
            journal.submit([fix(2), fix(5)])
            try await journal.finish()
            #expect(try await progress() == 5)
        }
    }
}
