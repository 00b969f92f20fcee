import EventLoop
import Foundation
import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import Postgres

@Suite struct JournalTests {
    @Test("20,000 fixes land once each, and the device's number rises with them")
    func bulk() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let journal = TestJournal(store)
            for start in stride(from: Int64(1), through: 20_000, by: 500) {
                journal.submit(
                    (start..<start + 500).map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) }
                )
            }
            try await journal.finish()
            try await store.expectFixes(1...20_000, of: arrival)
            #expect(journal.committed.last == 20_000)
            #expect(journal.committed == journal.committed.sorted())
            let metrics = journal.journal.metrics
            #expect(metrics.committed == 20_000)
            #expect(metrics.waiting == 0)
            #expect(metrics.failed == 0)
        }
    }

    @Test("what comes soon after a batch is gathered for the next, and nothing waits for longer than it may")
    func gathering() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let journal = TestJournal(store, pacer: Pacer(share: 1_000_000, shortest: 0, longest: 10_000_000_000))
            journal.submit([.fix(.sample(arrival.device, arrival.user.id, 1, at: store.now))])
            try await journal.flush()
            #expect(journal.journal.metrics.batches == 1)
            for number in 2...100 {
                journal.submit([.fix(.sample(arrival.device, arrival.user.id, Int64(number), at: store.now))])
            }
            try await journal.finish()
            #expect(journal.journal.metrics.batches == 2)
            try await store.expectFixes(1...100, of: arrival)
        }
    }

    @Test("what the journal wrote is what hello and a group's load find")
    func roundTrip() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let user = people[0].user.id
            let device = Hello.Device(key: "phone", name: "Ada's phone", kind: .phone)
            let first = try await store.directory.hello(token: people[0].token, device: device)
            #expect(first.arrival.acknowledgedSequence == 0)
            #expect(first.arrival.clockOffset == nil)
            #expect(first.arrival.presence == .offline)
            #expect(first.arrival.groups == [group.id])
            let position = StoredPosition.sample(first.arrival.device, 3, at: store.now)
            let alerts = (1...3).map { NotificationRecord.sample($0, user: user, group: group.id, at: store.now) }
            let journal = TestJournal(store)
            journal.submit([
                .fix(.sample(first.arrival.device, user, 2, at: store.now, clockOffset: 40_000)),
                .fix(.sample(first.arrival.device, user, 3, at: store.now, clockOffset: -90_000)),
                .position(user, position, .ok),
                .presence(user, .away, lastSeen: store.now),
                .machine(group.id, try .sample()),
                .notification(alerts[0]), .notification(alerts[1]), .notification(alerts[2]),
            ])
            try await journal.flush()
            journal.submit([.seen(user, .upTo(1), at: store.now)])
            try await journal.flush()
            let again = try await store.directory.hello(token: people[0].token, device: device).arrival
            #expect(again.device == first.arrival.device)
            #expect(again.acknowledgedSequence == 3)
            #expect(again.clockOffset == -90_000)
            #expect(again.position == position)
            #expect(again.lastSeen == store.now)
            #expect(again.presence == .away)
            #expect(again.lastNotification == 3)
            #expect(again.unseen.map(\.number) == [2, 3])
            #expect(again.unseen.allSatisfy { $0.user == user })
            for (read, written) in zip(again.unseen, alerts.dropFirst()) {
                #expect(try read.content.isSame(as: written.content))
            }
            let loaded = try await store.directory.loadGroup(group.id)
            #expect(try loaded.gathering == .sample())
            #expect(loaded.members[0].position == position)
            #expect(loaded.members[0].unseen == again.unseen)
            #expect(loaded.members[0].lastNotification == 3)
            #expect(loaded.members[1].position == nil)
            journal.submit([.machine(group.id, nil)])
            try await journal.finish()
            #expect(journal.numbers == (1...3).map { NumberedRecord(record: 5 + $0, number: $0) })
            #expect(try await store.directory.loadGroup(group.id).gathering == nil)
        }
    }

    @Test("what the world made in one go is committed in one go, however long it is")
    func wholeBatches() {
        var queue = JournalQueue()
        for (number, endsIteration) in [false, true, false, false, true, true].enumerated() {
            var entry = JournalEntry(number: Int64(number), record: .sessionClosed(SessionID(1)))
            entry.endsIteration = endsIteration
            queue.append([entry])
        }
        #expect(queue.wholeBatches(limit: 100) == 6)
        #expect(queue.wholeBatches(limit: 5) == 5)
        #expect(queue.wholeBatches(limit: 4) == 2)
        #expect(queue.wholeBatches(limit: 1) == 2)
    }

    @Test("rows that are there already do no harm")
    func repeats() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let user = arrival.user.id
            let group = try await store.directory.createGroup(name: "One", by: user)
            let journal = TestJournal(store)
            let session = SessionRecord(
                session: SessionID(1),
                user: user,
                device: arrival.device,
                isWatch: false,
                openedAt: store.now
            )
            for _ in 0..<2 {
                journal.submit([
                    .notification(.sample(1, user: user, group: group.id, at: store.now)),
                    .sessionOpened(session), .presence(user, .online, lastSeen: nil),
                    .fix(.sample(arrival.device, user, 1, at: store.now, verdict: .duplicate)),
                ])
                try await journal.flush()
            }
            #expect(try await store.count("muster.notification") == 1)
            #expect(try await store.count("muster.live_session") == 1)
            #expect(try await store.count("muster.fix") == 0)
            journal.submit([.sessionClosed(SessionID(1))])
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            #expect(try await store.count("muster.live_session") == 0)
        }
    }

    @Test("fixes of several days and devices land once each")
    func severalDays() async throws {
        try await Store.with { store in
            let ada = try await store.arrival("Ada").arrival
            let bo = try await store.arrival("Bo").arrival
            let day: Int64 = 86_400_000
            func fixes(_ range: ClosedRange<Int64>, at: Timestamp) -> [JournalRecord] {
                range.flatMap { number in
                    [bo, ada].map { .fix(.sample($0.device, $0.user.id, number, at: at + number)) }
                }
            }
            let journal = TestJournal(store)
            journal.submit(fixes(1...200, at: store.now))
            try await journal.flush()
            journal.submit(fixes(201...300, at: store.now - day) + fixes(301...400, at: store.now))
            try await journal.flush()
            journal.submit(fixes(401...500, at: store.now - day))
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            try await store.expectFixes(1...500, of: ada)
            try await store.expectFixes(1...500, of: bo)
        }
    }

    @Test("where a day's partition has another name, its fixes land in it all the same")
    func renamedPartition() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let partitions = try await store.pool.query(
                "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'muster.fix'::regclass"
            )
            for row in 0..<partitions.count {
                _ = try await store.pool.query(
                    "ALTER TABLE \(try partitions[row].text("name")) RENAME TO renamed_\(row)"
                )
            }
            let journal = TestJournal(store)
            journal.submit((1...50).map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) })
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            try await store.expectFixes(1...50, of: arrival)
        }
    }
}

extension NotificationContent {
    /// Whether the contents are equal, regardless of the order of the payload's fields.
    fileprivate func isSame(as other: NotificationContent) throws -> Bool {
        var (mine, theirs) = (self, other)
        let payloads = try [mine, theirs].map {
            try JSONSerialization.jsonObject(with: Data($0.payload.json)) as? NSDictionary
        }
        mine.payload = NotificationPayload([])
        theirs.payload = NotificationPayload([])
        return mine == theirs && payloads[0] != nil && payloads[0] == payloads[1]
    }
}
