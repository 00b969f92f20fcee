import Testing

@testable import MusterCore

@Suite("Numbers of people who are not held") struct RecentNumbersTests {
    private static let now = Timestamp(milliseconds: 1_000_000)

    @Test("the highest of a person is kept until they are held")
    func highest() {
        var numbers = RecentNumbers()
        for number in [3, 7, 5] as [Int64] { numbers.note(number, of: UserID(1), at: Self.now) }
        let removed = [2, 1, 1].map { numbers.remove(UserID($0)) }
        #expect(removed == [nil, 7, nil] && numbers.count == 0)
    }

    @Test("they are forgotten after two minutes, unless there was news of the person")
    func expiry() {
        var numbers = RecentNumbers()
        numbers.note(1, of: UserID(1), at: Self.now)
        numbers.note(1, of: UserID(2), at: Self.now)
        numbers.note(2, of: UserID(2), at: Self.now + 60_000)
        numbers.note(1, of: UserID(3), at: Self.now + RecentNumbers.lasts + 1)
        let removed = [1, 2, 3].map { numbers.remove(UserID($0)) }
        #expect(removed == [nil, 2, 1])
    }

    @Test("a crowd costs no more than its bound, and the newest stay")
    func capacity() {
        var numbers = RecentNumbers()
        let crowd = Int64(RecentNumbers.capacity)
        for user in 1...(crowd + 10) { numbers.note(1, of: UserID(user), at: Self.now + user) }
        #expect(numbers.count == RecentNumbers.capacity)
        let removed = [1, crowd + 10].map { numbers.remove(UserID($0)) }
        #expect(removed == [nil, 1])
    }

    @Test("an inbox keeps the newest 200, and forgets no more than it must of what was seen one by one")
    func inboxBounds() {
        var inbox = NotificationInbox(lastNumber: 0, unseen: [])
        let content = NotificationContent(kind: "greeting", at: Self.now)
        for number in 1...300 as ClosedRange<Int64> {
            let notification = NumberedNotification(user: UserID(1), number: number, content: content)
            let isNext = inbox.receive(number, notification)
            #expect(isNext)
        }
        #expect(inbox.unseen.map(\.number) == Array(101...300))
        let all = inbox.unseen
        let (added, gone) = inbox.see(.numbers(Array(1...300)))
        #expect(added == .numbers(Array(1...300)) && gone == Array(101...300))
        // A `hello` read its data before that was stored.
        let stale = inbox.merge(all, upTo: 300)
        #expect(stale.isEmpty && inbox.unseen.isEmpty)
        let again = inbox.see(.numbers([300])).added
        let rest = inbox.see(.upTo(1_000)).added
        #expect(again == nil && rest == .upTo(300))
    }
}
