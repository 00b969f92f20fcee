import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import Postgres

@Suite("Notifications in storage") struct NotificationTests {
    /// A notification kind that only these tests use.
    private static func content(_ store: Store, group: GroupID? = nil, subject: String? = nil) -> NotificationContent {
        NotificationContent(
            kind: "greeting",
            group: group,
            subject: subject,
            at: store.now,
            payload: NotificationPayload([.init("words", .text("hello"))])
        )
    }

    private static func addKind(_ store: Store) async throws {
        _ = try await store.pool.query(
            "INSERT INTO muster.notification_kind (kind, description) VALUES ('greeting', 'Only in tests.')"
        )
    }

    private static func notify(
        _ store: Store,
        _ content: NotificationContent,
        to users: [UserID]
    ) async throws -> [NotificationNumber] {
        try await store.directory.transaction { transaction in
            try await transaction.commit(notifying: [(content, users)])[0]
        }
    }

    @Test("every durable kind of the code has its row, and every row its line in the code")
    func kinds() async throws {
        try await Store.with { store in
            let rows = try await store.pool.query("SELECT kind FROM muster.notification_kind")
            #expect(
                Set(try rows.map { try $0.text("kind") }) == Set(NotificationKind.table.filter(\.isDurable).map(\.name))
            )
        }
    }

    @Test("a transaction of the directory numbers for each person, a repeat gets its number back, and hello reads them")
    func directory() async throws {
        try await Store.with { store in
            try await Self.addKind(store)
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            let first = try await Self.notify(store, Self.content(store, group: group.id, subject: "a"), to: users)
            #expect(first == users.map { NotificationNumber(user: $0, number: 1) })
            let second = try await Self.notify(store, Self.content(store), to: [users[1]])
            #expect(second == [NotificationNumber(user: users[1], number: 2)])
            let again = try await Self.notify(store, Self.content(store, group: group.id, subject: "a"), to: users)
            #expect(again == first)
            #expect(try await store.count("muster.notification") == 4)
            let inbox = try await store.directory.inbox(of: users[1])
            #expect(inbox.lastNumber == 2 && inbox.unseen.map(\.number) == [1, 2])
            var expected = Self.content(store, group: group.id, subject: "a")
            expected.groupName = "Climbers"
            #expect(inbox.unseen[0] == NumberedNotification(user: users[1], number: 1, content: expected))
            let device = Hello.Device(key: "phone", kind: .phone)
            let arrival = try await store.directory.hello(token: people[1].token, device: device).arrival
            #expect(arrival.unseen == inbox.unseen && arrival.lastNotification == 2)
            #expect(
                await failure { _ = try await store.directory.inbox(of: UserID(1)) }
                    == .notFound
            )
        }
    }

    @Test("a transaction that is rolled back takes its numbers back")
    func rolledBack() async throws {
        try await Store.with { store in
            try await Self.addKind(store)
            let user = try await store.person().user.id
            let content = Self.content(store)
            let code = await failure {
                try await store.directory.transaction { transaction in
                    let record = NotificationRecord(user: user, content: content)
                    try await transaction.pipeline([NotifyStatement.make([record])])
                    throw FrameError(.conflict, message: "Never mind.")
                }
            }
            #expect(code == .conflict)
            #expect(try await Self.notify(store, content, to: [user]).map(\.number) == [1])
        }
    }

    @Test(
        "who is gone, is not in the group, or is told by an account that is gone, gets none; an unknown kind is refused"
    )
    func nobody() async throws {
        try await Store.with { store in
            try await Self.addKind(store)
            let (group, people) = try await store.group(1)
            let (user, stranger) = (people[0].user.id, try await store.person().user.id)
            let about = Self.content(store, group: group.id)
            let numbers = try await Self.notify(store, about, to: [UserID(1), stranger, user])
            #expect(numbers == [NotificationNumber(user: user, number: 1)])
            var from = Self.content(store)
            from.from = UserID(1)
            #expect(try await Self.notify(store, from, to: [user]).isEmpty)
            var unknown = Self.content(store)
            unknown.kind = "nothing"
            let refused = unknown
            #expect(
                await failure {
                    _ = try await Self.notify(store, refused, to: [user])
                } != nil
            )
            #expect(try await store.directory.inbox(of: user).lastNumber == 1)
        }
    }

    @Test(
        "journal and directory number for the same people at once: no number twice, none left out, each by its commit"
    )
    func concurrent() async throws {
        try await Store.with { store in
            try await Self.addKind(store)
            let (group, people) = try await store.group(4)
            let users = people.map(\.user.id)
            let journal = TestJournal(store, batchLimit: 20)
            let (rounds, tasks) = (25, 4)
            let given = try await withThrowingTaskGroup(of: [NotificationNumber].self) { tasksGroup in
                for task in 0..<tasks {
                    tasksGroup.addTask {
                        var numbers: [NotificationNumber] = []
                        // Each task uses another order, but the locks are taken in the same one.
                        let order = Array(users[(task % 4)...] + users[..<(task % 4)])
                        for _ in 0..<rounds {
                            numbers += try await Self.notify(store, Self.content(store, group: group.id), to: order)
                        }
                        return numbers
                    }
                }
                for round in 0..<rounds {
                    journal.submit(
                        users.reversed().map {
                            .notification(.sample(Int64(round), user: $0, group: group.id, at: store.now))
                        }
                    )
                }
                return try await tasksGroup.reduce(into: []) { $0 += $1 }
            }
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            let total = rounds * (tasks + 1)
            for user in users {
                let stored = try await store.pool.query(
                    "SELECT number FROM muster.notification WHERE user_id = $1 ORDER BY number",
                    [.int64(user.rawValue)]
                )
                #expect(try stored.map { try $0.int64("number") } == Array(1...Int64(total)))
                #expect(try await store.directory.inbox(of: user).lastNumber == Int64(total))
            }
            #expect(given.count == rounds * tasks * users.count)
            #expect(journal.numbers.count == rounds * users.count)
            #expect(journal.numbers.map(\.record) == Array(1...Int64(rounds * users.count)))
        }
    }

    @Test("the newest 200 that are unseen are read, oldest first; what was seen by number is not")
    func newest() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(1)
            let user = people[0].user.id
            let journal = TestJournal(store)
            journal.submit(
                (1...205).map { .notification(.sample($0, user: user, group: group.id, at: store.now)) }
            )
            try await journal.flush()
            #expect(try await store.directory.inbox(of: user).unseen.map(\.number) == Array(6...205))
            journal.submit([
                .seen(user, .numbers([200, 204]), at: store.now), .seen(user, .upTo(3), at: store.now),
                .seen(user, .numbers([205]), at: store.now),
            ])
            try await journal.finish()
            let unseen = try await store.directory.inbox(of: user).unseen.map(\.number)
            #expect(unseen.count == 199 && unseen.first == 4 && unseen.last == 203 && !unseen.contains(200))
        }
    }

    @Test("who leaves, or is removed, loses what is unseen of the group, and does not get it back by joining again")
    func leaving() async throws {
        try await Store.with { store in
            try await Self.addKind(store)
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            _ = try await Self.notify(store, Self.content(store, group: group.id), to: users)
            _ = try await Self.notify(store, Self.content(store), to: users)
            _ = try await store.directory.leave(group.id, user: users[1])
            _ = try await store.directory.removeMember(users[2], from: group.id, by: users[0])
            for user in users.dropFirst() {
                #expect(try await store.directory.inbox(of: user).unseen.map(\.number) == [2])
            }
            #expect(try await store.directory.inbox(of: users[0]).unseen.map(\.number) == [1, 2])
            // A batch that was in progress while they left.
            _ = try await store.pool.query(
                """
                INSERT INTO muster.notification (user_id, number, kind, group_id, at, payload)
                VALUES ($1, 3, 'greeting', $2, $3, '{}')
                """,
                [.int64(users[1].rawValue), .int64(group.id.rawValue), .timestamptz(store.now)]
            )
            #expect(try await store.directory.inbox(of: users[1]).unseen.map(\.number) == [2])
            store.manual.advance(milliseconds: 1000)
            let invite = try await store.directory.createInvite(to: group.id, by: users[0])
            _ = try await store.directory.join(code: invite.code, user: users[1])
            #expect(try await store.directory.inbox(of: users[1]).unseen.map(\.number) == [2])
            _ = try await store.directory.deleteGroup(group.id, by: users[0])
            #expect(try await store.count("muster.notification WHERE group_id IS NOT NULL") == 0)
        }
    }

    @Test("notifications go with the retention, and numbers go on")
    func retention() async throws {
        try await Store.with { store in
            try await Self.addKind(store)
            let user = try await store.person().user.id
            _ = try await Self.notify(store, Self.content(store), to: [user])
            store.manual.advance(milliseconds: 20 * 86_400_000)
            _ = try await Self.notify(store, Self.content(store), to: [user])
            store.manual.advance(milliseconds: 11 * 86_400_000)
            try await store.directory.maintain()
            #expect(try await store.directory.inbox(of: user).unseen.map(\.number) == [2])
            #expect(try await Self.notify(store, Self.content(store), to: [user]).map(\.number) == [3])
        }
    }

    @Test("a batch that is written again, or was in doubt, gets its numbers back and doubles nothing")
    func writtenAgain() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let users = people.map(\.user.id)
            let records = (0..<6).map {
                NotificationRecord.sample(Int64($0 / 2), user: users[$0 % 2], group: group.id, at: store.now)
            }
            let first = TestJournal(store)
            first.submit(records.map { .notification($0) })
            try await first.finish()
            // Another server's journal, which does not know that the records were written.
            let second = TestJournal(store)
            second.submit(records.map { .notification($0) })
            try await second.finish()
            #expect(first.numbers.count == 6 && second.numbers == first.numbers)
            #expect(try await store.count("muster.notification") == 6)
            let statement = NotifyStatement.lookUp(records)
            let found = try NotifyStatement.numbers(
                in: try await store.pool.query(statement.sql, statement.parameters)
            )
            #expect(found.map { NumberedRecord(record: Int64($0.place) + 1, number: $0.number) } == first.numbers)
        }
    }

    @Test("backends that end at any moment of a commit: every alert has one row, and its number is told once")
    func inDoubt() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let (group, people) = try await store.group(2)
            let users = people.map(\.user.id)
            let journal = TestJournal(store, batchLimit: 40)
            var submitted: Int64 = 0
            var ended = 0
            while ended < 20 {
                if journal.journal.metrics.waiting < 500 {
                    journal.submit(
                        (1...200).map { (step: Int64) in
                            let index = submitted + step
                            return .notification(
                                .sample(index, user: users[Int(index % 2)], group: group.id, at: store.now)
                            )
                        }
                    )
                    submitted += 200
                }
                let count = try await store.endJournalBackend()
                ended += count
                if count == 0 { try await waitUntil { journal.journal.state == .ready } }
            }
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            let numbers = journal.numbers
            #expect(numbers.map(\.record) == Array(1...submitted), "each is told once, in order")
            let rows = try await store.pool.query("SELECT user_id, number, subject FROM muster.notification")
            #expect(rows.rowCount == Int(submitted))
            var stored: [String: Int64] = [:]
            for row in rows {
                stored["\(try row.int64("user_id"))/\(try row.text("subject"))"] = try row.int64("number")
            }
            for entry in numbers {
                let record = NotificationRecord.sample(
                    entry.record,
                    user: users[Int(entry.record % 2)],
                    group: group.id,
                    at: store.now
                )
                #expect(stored["\(record.user)/\(record.content.subject ?? "")"] == entry.number)
            }
        }
    }

    @Test("a batch that was committed though its answer was lost brings its numbers back")
    func answerLost() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let (group, people) = try await store.group(2)
            let users = people.map(\.user.id)
            let journal = TestJournal(store)
            func submit(_ indexes: ClosedRange<Int64>) {
                for index in indexes {
                    journal.submit(
                        users.map { .notification(.sample(index, user: $0, group: group.id, at: store.now)) }
                    )
                }
            }
            submit(1...2)
            try await journal.flush()
            try await store.holdCommits()
            submit(3...5)
            try await waitUntil { try await store.heldCommits() == 1 }
            let notified = journal.numbers.count
            let backend = try await store.pool.query("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            let process = try backend[0].int32("pid")
            #expect(try await store.endJournalBackend() == 1)
            // Another journal may be waiting by then: the first one reconnects.
            try await waitUntil { try await store.count("pg_stat_activity WHERE pid = \(process)") == 0 }
            try await store.releaseCommits()
            submit(6...6)
            try await journal.finish()
            #expect(notified < 10 && journal.failed.isEmpty)
            #expect(journal.numbers.map(\.record) == Array(1...12))
            #expect(journal.numbers.map(\.number) == (1...6).flatMap { [$0, $0] })
            #expect(try await store.count("muster.notification") == 12)
        }
    }
}
