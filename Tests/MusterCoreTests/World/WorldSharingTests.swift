import Testing

@testable import MusterCore

@Suite struct WorldSharingTests {
    /// Group 1 of 7 and 8, where 7 shares as said.
    private static func snapshot(_ revision: Int64, _ sharing: Sharing) -> WorldInput {
        .groupChanged(WorldUnderTest.group(1, revision: revision, members: [7, 8], sharing: [7: sharing]), answer: nil)
    }

    private static func world() -> WorldUnderTest {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.turn(WorldUnderTest.report(1, test.fix(1, lat: 50.1234)))
        return test
    }

    @Test("pausing takes the position off the roster in the same turn, and tells every field as gone")
    func pause() throws {
        var test = Self.world()
        let effects = test.turn(Self.snapshot(2, Sharing(mode: .paused)))
        let position = try #require(effects.changes.first?.members.first?.position)
        #expect(position.coordinate == nil && position.at == nil && position.freshness == .unknown)
        #expect(position.withdrawn == [.place, .accuracy])
    }

    @Test("after a pause nothing is shown until a newer fix; what was taken while paused never is")
    func resume() {
        var test = Self.world()
        test.turn(Self.snapshot(2, Sharing(mode: .paused)))
        test.now = test.now + 10_000
        test.turn(WorldUnderTest.report(1, test.fix(2, lat: 50.0002)))
        // A phone whose clock runs ahead.
        test.turn(WorldUnderTest.report(1, test.fix(3, lat: 50.0003, at: test.now + 30_000)))
        test.now = test.now + 10_000
        test.turn(Self.snapshot(3, Sharing(visibleSince: test.now)))
        #expect(test.position(of: 7)?.coordinate == nil)
        test.pass(60_000)
        #expect(test.position(of: 7)?.coordinate == nil)
        // A fix that was buffered during the pause, and arrives after it.
        test.turn(WorldUnderTest.report(1, test.fix(4, lat: 50.0004, at: test.now - 65_000)))
        #expect(test.position(of: 7)?.coordinate == nil)
        test.turn(WorldUnderTest.report(1, test.fix(5, lat: 50.0005)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.0005)
    }

    @Test("a pause with an end gives way to live sharing by itself, and hides what came before for good")
    func until() {
        var test = Self.world()
        test.turn(Self.snapshot(2, Sharing(mode: .paused, until: test.now + 30_000)))
        test.now = test.now + 10_000
        test.turn(WorldUnderTest.report(1, test.fix(2, lat: 50.0002)))
        let effects = test.pass(25_000)
        #expect(effects.changes.last?.members.last?.profile?.sharing == .live)
        #expect(test.position(of: 7)?.coordinate == nil)
        test.turn(WorldUnderTest.report(1, test.fix(3, lat: 50.0003)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.0003)
    }

    @Test("approximate shows the grid, and nothing that would narrow it down")
    func approximate() throws {
        var test = Self.world()
        test.now = test.now + 600_000
        var fix = test.fix(2, lat: 50.1299)
        fix.speed = 2
        fix.course = 90
        fix.altitude = 120
        fix.battery = 0.5
        test.turn(WorldUnderTest.report(1, fix))
        test.turn(Self.snapshot(2, Sharing(mode: .approximate)))
        let position = try #require(test.position(of: 7))
        #expect(position.coordinate == Coordinate(latitude: 50.13, longitude: 8))
        #expect((position.accuracy ?? 0) >= 800)
        #expect(position.withdrawn == [.speed, .course, .altitude, .battery])
    }

    @Test("who shares no exact place takes no part in gatherings", arguments: [Sharing.Mode.approximate, .paused])
    func gathering(mode: Sharing.Mode) throws {
        var test = WorldUnderTest()
        let people: [Int64] = [7, 8, 9, 10]
        for user in people { test.open(user, user: user, members: [1: people]) }
        let sharing = Sharing(mode: mode)
        let group = WorldUnderTest.group(1, revision: 2, members: people, sharing: [9: sharing, 10: sharing])
        test.turn(.groupChanged(group, answer: nil))
        // 9 is with 7 and 8, and 10 is 3 km away.
        for sequence in 1...40 as ClosedRange<Int64> {
            for (user, latitude) in zip(people, [50, 50.0001, 50.0002, 50.03]) {
                test.turn(WorldUnderTest.report(user, test.fix(sequence, lat: latitude)))
            }
            test.pass(10_000)
        }
        let gathering = try #require(test.world.roster(of: GroupID(1))?.gathering)
        // Two of two, and nobody is missing.
        #expect(gathering.together == [UserID(7), UserID(8)])
        #expect(gathering.absent == [])
        #expect(test.world.counters.alerts == 0)
    }

    @Test("what storage cannot take narrows sharing at once, and never widens it")
    func narrowed() {
        var test = Self.world()
        let effects = test.turn(
            .sharingNarrowed(UserID(7), group: GroupID(1), .paused),
            .answerRequested(WorldUnderTest.answer(1))
        )
        #expect(effects.story == ["publish", "answer", "rosterChanged"])
        #expect(effects.changes.first?.members.first?.position?.coordinate == nil)
        #expect(effects.changes.first?.members.first?.profile?.sharing == .paused)
        test.turn(.sharingNarrowed(UserID(7), group: nil, .approximate), .sharingNarrowed(UserID(7), group: nil, .live))
        test.turn(WorldUnderTest.report(1, test.fix(2, lat: 50.1235)))
        #expect(test.position(of: 7)?.coordinate == nil)
        // What is read again is what storage held before.
        test.turn(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        #expect(test.position(of: 7)?.coordinate == nil)
        // The next change says anew what holds; what was hidden stays so.
        test.now = test.now + 1_000
        test.turn(Self.snapshot(2, Sharing()))
        #expect(test.position(of: 7)?.coordinate == nil)
        test.turn(WorldUnderTest.report(1, test.fix(3, lat: 50.1236)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.1236)
    }

    @Test("a pause that was to end goes on when storage cannot take a longer one")
    func narrowedForLonger() {
        var test = Self.world()
        test.turn(Self.snapshot(2, Sharing(mode: .paused, until: test.now + 30_000)))
        test.turn(.sharingNarrowed(UserID(7), group: nil, .paused))
        test.pass(60_000)
        test.turn(WorldUnderTest.report(1, test.fix(2, lat: 50.1235)))
        #expect(test.position(of: 7)?.coordinate == nil)
    }

    @Test("narrowing reaches the named group alone, and is not forgotten with the group while nobody is here")
    func narrowedGroupIsKept() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8], 2: [7, 9]])
        test.turn(WorldUnderTest.report(1, test.fix(1, lat: 50.1234)))
        test.turn(.sharingNarrowed(UserID(7), group: GroupID(1), .approximate))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.12)
        #expect(test.position(of: 7, in: 2)?.coordinate?.latitude == 50.1234)
        test.turn(.sessionClosed(SessionID(1)))
        test.commit()
        test.pass(4_000_000)
        test.commit()
        test.pass(4_000_000)
        #expect(test.world.roster(of: GroupID(2)) == nil)
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.12)
    }
}
