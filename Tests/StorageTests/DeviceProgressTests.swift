import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("How far devices got by a busy journal")
struct DeviceProgressTests {
    private static let phone = Hello.Device(key: "phone", kind: .phone)

    @Test("a writer that comes after a crash carries over what was logged, before anybody can say hello")
    func takenOver() async throws {
        try await Store.with { store in
            let tokens = [try await store.person("Ada").token, try await store.person("Bo").token]
            var people: [Arrival] = []
            for token in tokens {
                people.append(try await store.directory.hello(token: token, device: Self.phone).arrival)
            }
            let (ada, bo) = (people[0], people[1])
            func fix(_ arrival: Arrival, _ sequence: Int64, _ offset: Int32) -> JournalRecord {
                var record = FixRecord.sample(arrival.device, arrival.user.id, sequence, at: store.now)
                record.clockOffset = offset
                return .fix(record)
            }
            let place = Coordinate(latitude: 40, longitude: -74)
            let anchor = DeviceAnchor(coordinate: place, accuracy: 5, movedAt: nil)
            let memory = DeviceMemory(anchor: anchor)
            var moved = DeviceRecord.sample(ada.device, ada.user.id, at: store.now, memory: memory)
            moved.clockOffset = 30
            let crashed = TestJournal(store, logsProgressFrom: 2, flushesProgressAfter: .seconds(3600))
            crashed.submit([fix(ada, 1, 10), fix(bo, 1, 10), fix(bo, 2, 20)])
            try await crashed.flush()
            #expect(try await store.acknowledged(ada) == 0)
            #expect(try await store.acknowledged(bo) == 0)
            #expect(try await store.count("muster.journal_progress") == 1)
            // The anchor of a device that moved is written at once, together with its highest sequence number.
            crashed.submit([fix(ada, 2, 30), .device(moved), fix(bo, 3, 30)])
            try await crashed.flush()
            #expect(try await store.acknowledged(ada) == 2)
            #expect(try await store.acknowledged(bo) == 0)
            // A batch with few fixes writes their rows.
            crashed.submit([fix(ada, 3, 40)])
            try await crashed.finish()
            #expect(try await store.acknowledged(ada) == 3)
            let next = TestJournal(store)
            try await waitUntil { next.journal.state == .ready }
            #expect(try await store.count("muster.journal_progress") == 0)
            let again = try await store.directory.hello(token: tokens[0], device: Self.phone).arrival
            #expect(again.acknowledgedSequence == 3)
            #expect(again.clockOffset == 40)
            let other = try await store.directory.hello(token: tokens[1], device: Self.phone).arrival
            #expect(other.acknowledgedSequence == 3)
            #expect(other.clockOffset == 30)
            try await next.close()
        }
    }

    @Test("the rows catch up when it is time, with the next batch or without one")
    func flushed() async throws {
        try await Store.with { store in
            let ada = try await store.arrival("Ada").arrival
            let bo = try await store.arrival("Bo").arrival
            let journal = TestJournal(store, logsProgressFrom: 2, flushesProgressAfter: .milliseconds(20))
            for sequence in Int64(1)...50 {
                journal.submit([ada, bo].map { .fix(.sample($0.device, $0.user.id, sequence, at: store.now)) })
                try await journal.flush()
            }
            journal.submit([.fix(.sample(ada.device, ada.user.id, 51, at: store.now))])
            try await journal.flush()
            try await waitUntil { try await store.count("muster.journal_progress") == 0 }
            try await journal.close()
            try await store.expectFixes(1...51, of: ada)
            try await store.expectFixes(1...50, of: bo)
        }
    }

    @Test("backends that end at any moment of a commit lose nothing and double nothing of what was logged")
    func commitsInDoubt() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let ada = try await store.arrival("Ada").arrival
            let bo = try await store.arrival("Bo").arrival
            let journal = TestJournal(
                store,
                batchLimit: 50,
                logsProgressFrom: 1,
                flushesProgressAfter: .milliseconds(5)
            )
            var next: Int64 = 1
            var ended = 0
            while ended < 20 {
                if journal.journal.metrics.waiting < 2000 {
                    journal.submit(
                        (next..<next + 200).flatMap { sequence in
                            [ada, bo].map { .fix(.sample($0.device, $0.user.id, sequence, at: store.now)) }
                        }
                    )
                    next += 200
                }
                let count = try await store.endJournalBackend()
                ended += count
                if count == 0 { try await waitUntil { journal.journal.state == .ready } }
            }
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            let successor = TestJournal(store)
            try await waitUntil { successor.journal.state == .ready }
            try await successor.close()
            try await store.expectFixes(1...next - 1, of: ada)
            try await store.expectFixes(1...next - 1, of: bo)
        }
    }

    @Test("what is logged stays below a fix that could not be written, until that fix is")
    func refused() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            func fix(_ sequence: Int64, at: Timestamp? = nil) -> JournalRecord {
                .fix(.sample(arrival.device, arrival.user.id, sequence, at: at ?? store.now))
            }
            let journal = TestJournal(store, logsProgressFrom: 1, flushesProgressAfter: .milliseconds(1))
            journal.submit([fix(1), fix(2, at: Timestamp(milliseconds: 0)), fix(3)])
            try await waitUntil { journal.committed.last == 3 }
            try await waitUntil { try await store.count("muster.journal_progress") == 0 }
            #expect(try await store.acknowledged(arrival) == 1)
            journal.submit([fix(2), fix(4)])
            try await journal.flush()
            try await waitUntil { try await store.count("muster.journal_progress") == 0 }
            #expect(try await store.acknowledged(arrival) == 4)
            try await journal.close()
        }
    }

    @Test("of an account that was deleted before its fixes came, none is left once they are settled")
    func deletedAccount() async throws {
        try await Store.with { store in
            let ada = try await store.arrival("Ada").arrival
            let bo = try await store.arrival("Bo").arrival
            _ = try await store.directory.deleteAccount(ada.user.id)
            let records: [JournalRecord] = [ada, bo].map { .fix(.sample($0.device, $0.user.id, 1, at: store.now)) }
            let crashed = TestJournal(store, logsProgressFrom: 2, flushesProgressAfter: .seconds(3600))
            crashed.submit(records)
            try await crashed.finish()
            let acknowledging = TestJournal(store, logsProgressFrom: 2, flushesProgressAfter: .milliseconds(1))
            try await waitUntil { acknowledging.journal.state == .ready }
            #expect(try await store.count("muster.fix") == 1)
            acknowledging.submit(records.map { $0.repeated(as: 2) })
            try await acknowledging.flush()
            try await waitUntil { try await store.count("muster.journal_progress") == 0 }
            try await acknowledging.close()
            try await store.expectFixes(1...2, of: bo)
            #expect(try await store.count("muster.fix") == 2)
        }
    }
}

extension JournalRecord {
    /// The same fix with another sequence number.
    fileprivate func repeated(as sequence: Int64) -> JournalRecord {
        guard case .fix(var record) = self else { return self }
        record.fix.sequence = sequence
        return .fix(record)
    }
}
