import Testing

@testable import MusterCore

@Suite("Notifications in the world") struct WorldNotificationTests {
    private static func content(
        _ test: WorldUnderTest,
        group: Int64? = nil,
        from: Int64? = nil,
        subject: String? = nil
    ) -> NotificationContent {
        NotificationContent(
            kind: "greeting",
            group: group.map { GroupID($0) },
            from: from.map { UserID($0) },
            subject: subject,
            at: test.now,
            payload: NotificationPayload([.init("words", .text("hello"))])
        )
    }

    /// The input after a directory transaction that assigned a number to user 7.
    private static func stored(_ number: Int64, _ content: NotificationContent) -> WorldInput {
        let numbers = [NotificationNumber(user: UserID(7), number: number)]
        return .publicationRequested(Publication(stored: content, numbers: numbers))
    }

    private static func read(_ test: WorldUnderTest, _ numbers: ClosedRange<Int64>) -> WorldInput {
        let unseen = numbers.map { NumberedNotification(user: UserID(7), number: $0, content: Self.content(test)) }
        return .answered(.inbox(UserID(7)), .inbox(unseen, upTo: numbers.upperBound))
    }

    @Test("what a transaction stored goes to all sessions of a person, once, and to no watch")
    func stored() {
        var test = WorldUnderTest.town()
        let effects = test.iterate(Self.stored(1, Self.content(test)))
        #expect(effects.notified(1) == [1] && effects.notified(2) == [1] && effects.notified(3).isEmpty)
        #expect(effects.alerts.count == 1, "one frame for both")
        // A repeated record has the same number as before.
        #expect(test.iterate(Self.stored(1, Self.content(test))).alerts.isEmpty)
    }

    @Test("what the world has stored is sent with the number that storage gave it, after the commit")
    func throughTheJournal() {
        var test = WorldUnderTest.town()
        let publication = Publication(to: .group(GroupID(1), except: UserID(8)), .durable(Self.content(test)))
        let effects = test.iterate(.publicationRequested(publication))
        #expect(effects.alerts.isEmpty)
        let records = effects.records.compactMap { if case .notification(let record) = $0 { record } else { nil } }
        #expect(records.map(\.user) == [UserID(7)])
        #expect(records.first?.content.subject?.isEmpty == false, "a batch in doubt finds it again")
        test.lastNumbers[UserID(7)] = 0
        #expect(test.commit().notified(1) == [1])
    }

    @Test("a number that is missing below one that is to be sent is read up first, and all come in order")
    func gap() {
        var test = WorldUnderTest.town()
        #expect(test.iterate(Self.stored(1, Self.content(test))).alerts == [1])
        let early = test.iterate(Self.stored(3, Self.content(test)))
        #expect(early.alerts.isEmpty && early.queries == [UserID(7)])
        // Another number arrives while storage is being read, and storage is read once.
        let more = test.iterate(Self.stored(4, Self.content(test)))
        #expect(more.alerts.isEmpty && more.queries.isEmpty)
        // The result of that read is older than 4, so storage is read again.
        let first = test.iterate(Self.read(test, 1...3))
        #expect(first.notified(1) == [2, 3] && first.queries == [UserID(7)])
        #expect(test.iterate(Self.read(test, 1...4)).notified(2) == [4])
        // The message about number 2 arrives late.
        #expect(test.iterate(Self.stored(2, Self.content(test))).alerts.isEmpty)
        #expect(test.iterate(Self.stored(5, Self.content(test))).alerts == [5])
    }

    @Test("what storage took back is shown no more, and nothing else")
    func withdrawn() {
        var test = WorldUnderTest.town()
        for number in 1...2 as ClosedRange<Int64> { test.iterate(Self.stored(number, Self.content(test))) }
        let numbers = [NotificationNumber(user: UserID(7), number: 1), NotificationNumber(user: UserID(9), number: 1)]
        let effects = test.iterate(.publicationRequested(Publication(withdrawn: numbers)))
        #expect(effects.story == ["publish"])
        let slot = test.world.users.slot(of: UserID(7))
        #expect(slot.map { test.world.users[$0].inbox.unseen.map(\.number) } == [2])
        #expect(test.iterate(.publicationRequested(Publication(withdrawn: numbers))).isEmpty, "it is gone already")
    }

    @Test("an alert of the journal that overtook a directory's waits for it")
    func journalOvertakes() {
        var test = WorldUnderTest.town()
        let publication = Publication(to: .people([UserID(7)]), .durable(Self.content(test)))
        test.iterate(.publicationRequested(publication))
        // Number 1 was assigned by a transaction whose message has not arrived yet.
        _ = test.number(for: UserID(7))
        let committed = test.commit()
        #expect(committed.alerts.isEmpty && committed.queries == [UserID(7)])
        #expect(test.iterate(Self.read(test, 1...2)).notified(1) == [1, 2])
    }

    @Test("when storage cannot be read it is asked again later, and not without end for what it does not know")
    func failedReading() {
        var test = WorldUnderTest.town()
        #expect(test.iterate(Self.stored(9, Self.content(test))).queries == [UserID(7)])
        #expect(test.iterate(.answered(.inbox(UserID(7)), nil)).queries.isEmpty)
        #expect(test.pass(4_000).queries.isEmpty)
        #expect(test.pass(3_000).queries == [UserID(7)])
        #expect(test.iterate(Self.read(test, 1...3)).notified(1) == [1, 2, 3])
        #expect(test.pass(30_000).queries.isEmpty)
        #expect(test.iterate(Self.stored(4, Self.content(test))).alerts == [4])
    }

    @Test("what is numbered between the query of a hello and its session is read up")
    func betweenQueryAndSession() {
        var test = WorldUnderTest()
        var opening = WorldUnderTest.opening(1, user: 7)
        opening.arrival.lastNotification = 4
        // The user has no session yet.
        #expect(test.iterate(Self.stored(5, Self.content(test))).queries.isEmpty)
        test.pass(5_000)
        let effects = test.iterate(.sessionOpened(opening))
        #expect(effects.story == ["welcome", "readNotifications"])
        #expect(test.iterate(Self.read(test, 5...5)).notified(1) == [5])
    }

    @Test("it is not read up when the hello knew of it, nor long afterwards")
    func knownToHello() {
        var test = WorldUnderTest()
        test.iterate(Self.stored(5, Self.content(test)))
        var opening = WorldUnderTest.opening(1, user: 7)
        opening.arrival.lastNotification = 5
        #expect(test.iterate(.sessionOpened(opening)).story == ["welcome"])
        #expect(test.world.recentNumbers.count == 0)
    }

    @Test("what another session's hello brought along is told to those that were here before")
    func learnedFromHello() {
        var test = WorldUnderTest.town()
        var opening = WorldUnderTest.opening(4, user: 7, device: 74, groups: [1])
        opening.arrival.lastNotification = 2
        opening.arrival.unseen = [NumberedNotification(user: UserID(7), number: 2, content: Self.content(test))]
        let effects = test.iterate(.sessionOpened(opening))
        #expect(effects.notified(1) == [2] && effects.notified(4) == [2])
        #expect(test.iterate(Self.stored(2, Self.content(test))).alerts.isEmpty, "its own post comes too late")
    }

    @Test("what was seen on one session is gone on the others, by number or up to one")
    func seen() {
        var test = WorldUnderTest.town()
        for number in 1...4 as ClosedRange<Int64> { test.iterate(Self.stored(number, Self.content(test))) }
        let one = test.iterate(.notificationsSeen(SessionID(1), .numbers([3, 99, 3])))
        #expect(one.records == [.seen(UserID(7), .numbers([3]), at: test.now)])
        #expect(one.messages(to: 2) == [.seen([3])] && one.messages(to: 1).isEmpty && one.messages(to: 3).isEmpty)
        #expect(test.iterate(.notificationsSeen(SessionID(2), .numbers([3]))).records.isEmpty)
        // A wearable may send `seen` too.
        let rest = test.iterate(.notificationsSeen(SessionID(3), .upTo(2)))
        #expect(rest.messages(to: 1) == [.seen([1, 2])] && rest.messages(to: 2) == [.seen([1, 2])])
        var opening = WorldUnderTest.opening(4, user: 7, device: 74, groups: [1])
        // Storage was read before any of these changes was stored.
        opening.arrival.lastNotification = 4
        opening.arrival.unseen = (1...4).map {
            NumberedNotification(user: UserID(7), number: $0, content: Self.content(test))
        }
        #expect(test.iterate(.sessionOpened(opening)).notified(4) == [4])
    }

    @Test("who leaves a group loses what is unseen of it, and gets nothing that was on its way")
    func leaving() {
        var test = WorldUnderTest.town()
        test.iterate(Self.stored(1, Self.content(test, group: 1)))
        test.iterate(Self.stored(2, Self.content(test)))
        test.iterate(
            .publicationRequested(Publication(to: .people([UserID(7)]), .durable(Self.content(test, group: 1))))
        )
        let left = test.iterate(
            .groupChanged(WorldUnderTest.group(1, revision: 2, members: [8]), answer: WorldUnderTest.answer(1))
        )
        #expect(left.messages(to: 2) == [.seen([1])])
        test.lastNumbers[UserID(7)] = 2
        #expect(test.commit().alerts.isEmpty)
        // A late message of a transaction, and a later one about another group.
        #expect(test.iterate(Self.stored(4, Self.content(test, group: 1))).alerts.isEmpty)
        #expect(test.iterate(Self.stored(5, Self.content(test))).alerts == [5])
        var opening = WorldUnderTest.opening(4, user: 7, device: 74)
        opening.arrival.lastNotification = 0
        #expect(test.iterate(.sessionOpened(opening)).notified(4) == [2, 5])
    }

    @Test("a deleted group takes its notifications along, also for those who are not here")
    func groupDeleted() {
        var test = WorldUnderTest.town()
        for session in [1, 2, 3] as [Int64] { test.iterate(.sessionClosed(SessionID(session))) }
        test.iterate(Self.stored(1, Self.content(test, group: 1)))
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2, members: []), answer: nil))
        let again = test.iterate(.sessionOpened(WorldUnderTest.opening(4, user: 7, device: 74)))
        #expect(again.notified(4).isEmpty)
    }

    @Test("what came from a person goes with their account")
    func senderDeleted() {
        var test = WorldUnderTest.town()
        test.iterate(Self.stored(1, Self.content(test, from: 8)))
        test.iterate(Self.stored(2, Self.content(test)))
        #expect(test.iterate(.accountDeleted(UserID(8))).messages(to: 1).contains(.seen([1])))
        let again = test.iterate(.sessionOpened(WorldUnderTest.opening(4, user: 7, device: 74, groups: [1])))
        #expect(again.notified(4) == [2])
    }

    @Test("a notification is called by its group's name of now")
    func renamed() {
        var test = WorldUnderTest.town()
        var content = Self.content(test, group: 1)
        content.groupName = "an older name"
        let effects = test.iterate(Self.stored(1, content))
        for case .notify(_, let notification, _) in effects { #expect(notification.content.groupName == "group 1") }
        #expect(effects.alerts == [1])
    }

    @Test(
        "however posts, commits and queries overtake each other, a session is sent every number once and in order",
        arguments: 1...60 as ClosedRange<UInt64>
    )
    func orders(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var test = WorldUnderTest.town()
        var last: Int64 = 0
        var posts: [Int64] = []
        var queries: [Int64] = []
        var received: [Int64] = []
        func take(_ effects: [WorldEffect]) {
            received += effects.notified(1)
            for _ in effects.queries { queries.append(last) }
        }
        for step in 0..<120 {
            switch random.next() % 4 {
            case 0, 1:
                if step < 90 {
                    last += 1
                    posts.append(last)
                }
            case 2:
                guard !posts.isEmpty else { continue }
                let post = posts.remove(at: Int(random.next() % UInt64(posts.count)))
                take(test.iterate(Self.stored(post, Self.content(test))))
            default:
                guard !queries.isEmpty else { continue }
                let known = queries.removeFirst()
                let unseen = (1...known).map {
                    NumberedNotification(user: UserID(7), number: $0, content: Self.content(test))
                }
                take(test.iterate(.answered(.inbox(UserID(7)), .inbox(unseen, upTo: known))))
            }
        }
        while let post = posts.popLast() { take(test.iterate(Self.stored(post, Self.content(test)))) }
        while !queries.isEmpty {
            let known = queries.removeFirst()
            let unseen = (1...known).map {
                NumberedNotification(user: UserID(7), number: $0, content: Self.content(test))
            }
            take(test.iterate(.answered(.inbox(UserID(7)), .inbox(unseen, upTo: known))))
        }
        #expect(received == Array(1...last), "seed \(seed)")
    }
}
