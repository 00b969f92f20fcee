import Testing

@testable import MusterCore

@Suite struct WorldAlertTests {
    /// Users 7, 8 and 9 in group 1.
    ///
    /// 7 and 8 meet, and 9 stays 3 km away.
    private static func story() -> (test: WorldUnderTest, effects: [WorldEffect]) {
        var test = WorldUnderTest()
        let members: [Int64: [Int64]] = [1: [7, 8, 9]]
        for user in [7, 8, 9] as [Int64] { test.open(user, user: user, members: members) }
        var effects: [WorldEffect] = []
        for sequence in 1...40 {
            effects += test.iterate(
                WorldUnderTest.report(7, test.fix(Int64(sequence), lat: 50)),
                WorldUnderTest.report(8, test.fix(Int64(sequence), lat: 50.0001)),
                WorldUnderTest.report(9, test.fix(Int64(sequence), lat: 50.03))
            )
            effects += test.pass(10_000)
        }
        return (test, effects)
    }

    /// The names of the members who are together in a notification.
    private static func names(_ alert: NotificationRecord) -> [String] {
        guard case .list(let together)? = alert.content.payload["together"] else { return [] }
        return together.compactMap { $0["name"]?.text }
    }

    @Test("the one left behind is told after the commit, and everyone sees who is together")
    func notified() throws {
        var (test, effects) = Self.story()
        let notified = effects.records.compactMap { record -> NotificationRecord? in
            if case .notification(let alert) = record { alert } else { nil }
        }
        let alert = try #require(notified.first)
        #expect(notified.count == 1 && alert.user == UserID(9))
        #expect(Self.names(alert) == ["user 7", "user 8"])
        #expect(alert.content.group == GroupID(1) && alert.content.kind == "left_without_you")
        let gathering = try #require(alert.content.payload["gathering"]?.text)
        #expect(alert.content.subject == "\(gathering):gathered:\(alert.content.at.milliseconds)")
        #expect(effects.alerts.isEmpty, "not before it is durable")
        let roster = try #require(test.world.roster(of: GroupID(1)))
        #expect(roster.gathering?.together == [UserID(7), UserID(8)])
        #expect(test.world.counters.openGatherings == 1)
        #expect(test.commit().alerts == [1])
        #expect(test.commit().alerts.isEmpty)
    }

    @Test("an alert that storage refused is not sent")
    func refused() {
        var (test, effects) = Self.story()
        var failed: [Int64] = []
        for case .journal(let number, .notification) in effects { failed.append(number) }
        #expect(!failed.isEmpty)
        #expect(test.commit(failed: failed).alerts.isEmpty)
    }

    @Test("what is not seen comes again at the next hello, oldest first, unless the client holds it")
    func replay() {
        var (test, _) = Self.story()
        test.commit()
        test.pass(1_000_000)
        var opening = WorldUnderTest.opening(20, user: 9, device: 91, groups: [1])
        let again = test.iterate(.sessionOpened(opening))
        #expect(again.story.filter { $0 != "rosterChanged" } == ["welcome", "subscribe", "alert"])
        for case .notify(_, _, let isLate) in again { #expect(isLate) }
        opening.session = SessionID(21)
        opening.knownNotification = 1
        #expect(test.iterate(.sessionOpened(opening)).alerts.isEmpty)
        let seen = test.iterate(.notificationsSeen(SessionID(21), .upTo(99)))
        #expect(seen.records == [.seen(UserID(9), .upTo(1), at: test.now)])
        #expect(test.iterate(.notificationsSeen(SessionID(21), .upTo(1))).records.isEmpty)
        opening.session = SessionID(22)
        opening.knownNotification = 0
        // Storage was read before the client sent `seen`.
        opening.arrival.unseen = []
        #expect(test.iterate(.sessionOpened(opening)).alerts.isEmpty)
    }

    @Test("a group with a gathering is kept though nobody is connected, and one restored from storage goes on")
    func kept() throws {
        var (test, effects) = Self.story()
        var stored: GatheringState?
        for case .gathering(let record) in effects.records { stored = record.machine }
        for user in [7, 8, 9] as [Int64] { test.iterate(.sessionClosed(SessionID(user))) }
        test.commit()
        test.pass(240_000)
        #expect(test.world.counters.groups == 1)

        var next = WorldUnderTest()
        next.now = test.now
        var snapshot = WorldUnderTest.group(1, members: [7, 8, 9])
        snapshot.gathering = stored
        next.iterate(.groupLoaded(snapshot))
        #expect(next.world.roster(of: GroupID(1))?.gathering?.together == [UserID(7), UserID(8)])
    }

    @Test("a member of two groups that gather at once is told by the one that they are not with, and once")
    func twoGroups() {
        var test = WorldUnderTest()
        // 7 is in both groups. 7, 8 and 9 meet, and so do 10 and 11, 3 km away.
        let members: [Int64: [Int64]] = [1: [7, 8, 9], 2: [7, 10, 11]]
        for user in [7, 8, 9, 10, 11] as [Int64] {
            test.open(user, user: user, members: members.filter { $0.value.contains(user) })
        }
        var effects: [WorldEffect] = []
        for sequence in 1...40 {
            let reports = ([7, 8, 9, 10, 11] as [Int64]).map { user in
                let lat = user < 10 ? 50 + Double(user) / 100_000 : 50.03
                return WorldUnderTest.report(user, test.fix(Int64(sequence), lat: lat))
            }
            effects += test.iterate(reports)
            effects += test.pass(10_000)
        }
        let alerts = effects.records.compactMap { record -> NotificationRecord? in
            if case .notification(let alert) = record { alert } else { nil }
        }
        #expect(alerts.map(\.user) == [UserID(7)])
        #expect(alerts.map(\.content.group) == [GroupID(2)])
        #expect(alerts.first.map(Self.names) == ["user 10", "user 11"])
        #expect(test.world.roster(of: GroupID(1))?.gathering?.together == [UserID(7), UserID(8), UserID(9)])
        #expect(test.world.roster(of: GroupID(2))?.gathering?.absent == [UserID(7)])
    }

    @Test("the one whom the others leave behind gets the departed alert, and the roster follows the gathering")
    func departed() throws {
        var (test, _) = Self.story()
        // 9 arrives, and then 7 and 8 drive off.
        var effects: [WorldEffect] = []
        for sequence in 41...160 {
            let step = Double(sequence - 40)
            let ride = max(0, step - 70) * 0.002
            effects += test.iterate(
                WorldUnderTest.report(7, test.fix(Int64(sequence), lat: 50 + ride)),
                WorldUnderTest.report(8, test.fix(Int64(sequence), lat: 50.0001 + ride)),
                WorldUnderTest.report(9, test.fix(Int64(sequence), lat: max(50.0002, 50.03 - step * 0.001)))
            )
            effects += test.pass(10_000)
        }
        let alerts = effects.records.compactMap { record -> NotificationRecord? in
            if case .notification(let alert) = record { alert } else { nil }
        }
        #expect(alerts.map { $0.content.payload["variant"]?.text } == ["departed"])
        let alert = try #require(alerts.first)
        #expect(alert.user == UserID(9))
        #expect(Self.names(alert) == ["user 7", "user 8"])
        #expect(try #require(alert.content.payload["distance"]?.number) > 200)
        #expect(alert.content.payload["you"]?["lat"]?.number == 50.0002)
        #expect(test.commit().alerts == [1, 2])
        #expect(test.world.roster(of: GroupID(1))?.gathering?.together == [UserID(7), UserID(8)])
    }
}
