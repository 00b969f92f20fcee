import Testing

@testable import MusterCore

@Suite struct WorldSharingTests {
    /// Group 1 with 7 and 8, where 7 shares in this mode.
    private static func snapshot(_ revision: Int64, _ sharing: Sharing) -> WorldInput {
        .groupChanged(WorldUnderTest.group(1, revision: revision, members: [7, 8], sharing: [7: sharing]), answer: nil)
    }

    private static func world() -> WorldUnderTest {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50.1234)))
        return test
    }

    /// A user who shares by a device with an unknown clock offset and without fixes so far.
    private static func unknownClock(_ sharing: Sharing) -> WorldUnderTest {
        var test = WorldUnderTest()
        var opening = WorldUnderTest.opening(1, user: 7, groups: [1])
        opening.arrival.clockOffset = nil
        test.iterate(.sessionOpened(opening))
        test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [7, 8], sharing: [7: sharing])))
        return test
    }

    @Test("pausing takes the position off the roster in the same turn, and tells every field as gone")
    func pause() throws {
        var test = Self.world()
        let effects = test.iterate(Self.snapshot(2, Sharing(mode: .paused)))
        let position = try #require(effects.changes.first?.members.first?.position)
        #expect(position.coordinate == nil && position.at == nil && position.freshness == .unknown)
        #expect(position.withdrawn == [.place, .accuracy])
    }

    @Test("after a pause nothing is shown until a newer fix; what was taken while paused never is")
    func resume() {
        var test = Self.world()
        test.iterate(Self.snapshot(2, Sharing(mode: .paused)))
        test.now = test.now + 10_000
        test.iterate(WorldUnderTest.report(1, test.fix(2, lat: 50.0002)))
        // A phone whose clock is ahead.
        test.iterate(WorldUnderTest.report(1, test.fix(3, lat: 50.0003, at: test.now + 30_000)))
        test.now = test.now + 10_000
        test.iterate(Self.snapshot(3, Sharing(visibleSince: test.now)))
        #expect(test.position(of: 7)?.coordinate == nil)
        test.pass(60_000)
        #expect(test.position(of: 7)?.coordinate == nil)
        // A fix that was buffered during the pause and arrives after it.
        test.iterate(WorldUnderTest.report(1, test.fix(4, lat: 50.0004, at: test.now - 65_000)))
        #expect(test.position(of: 7)?.coordinate == nil)
        test.iterate(WorldUnderTest.report(1, test.fix(5, lat: 50.0005)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.0005)
    }

    @Test(
        "after a pause the time of a clock that is not known is believed to two minutes, until three arrivals agree",
        arguments: [30_000, 110_000] as [Int64]
    )
    func unknownClock(ahead: Int64) {
        var test = Self.unknownClock(Sharing())
        test.iterate(Self.snapshot(2, Sharing(mode: .paused)))
        let taken = test.now + ahead
        test.now = test.now + 10_000
        test.iterate(Self.snapshot(3, Sharing(visibleSince: test.now, hasPaused: true)))
        // Taken within the pause by a clock that is ahead, and sent after the pause.
        test.now = test.now + 1_000
        test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50.0001, at: taken)))
        #expect(test.position(of: 7)?.coordinate == nil)
        for sequence: Int64 in 2...4 {
            test.now = test.now + 5_000
            test.iterate(WorldUnderTest.report(1, test.fix(sequence, lat: 50.0003, at: test.now + ahead)))
            #expect(sequence == 4 || test.position(of: 7)?.coordinate == nil)
        }
        // Newer by the clock offset that is known now than the fix before, whose time was ahead.
        test.now = test.now + ahead
        test.iterate(WorldUnderTest.report(1, test.fix(5, lat: 50.0004, at: test.now + ahead)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.0004)
    }

    @Test("after a pause a fix without a time of its own is shown at once: it is taken when it comes")
    func timeless() {
        var test = Self.unknownClock(Sharing())
        test.iterate(Self.snapshot(2, Sharing(mode: .paused)))
        test.iterate(Self.snapshot(3, Sharing(visibleSince: test.now, hasPaused: true)))
        var fix = test.fix(1, lat: 50.0001)
        fix.at = nil
        test.iterate(WorldUnderTest.report(1, fix))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.0001)
    }

    @Test("who joins is shown at once, whatever is known of the clock")
    func joining() {
        var test = Self.unknownClock(Sharing(visibleSince: WorldUnderTest().now))
        test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50.0001)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.0001)
    }

    @Test("a pause with an end gives way to live sharing by itself, and hides what came before for good")
    func until() {
        var test = Self.world()
        test.iterate(Self.snapshot(2, Sharing(mode: .paused, until: test.now + 30_000)))
        test.now = test.now + 10_000
        test.iterate(WorldUnderTest.report(1, test.fix(2, lat: 50.0002)))
        let effects = test.pass(25_000)
        #expect(effects.changes.last?.members.last?.profile?.sharing == .live)
        #expect(test.position(of: 7)?.coordinate == nil)
        test.iterate(WorldUnderTest.report(1, test.fix(3, lat: 50.0003)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.0003)
    }

    @Test("sharing that is to end hidden gives way to a pause", arguments: [Sharing.Mode.live, .approximate])
    func thenPaused(_ mode: Sharing.Mode) {
        var test = Self.world()
        test.iterate(Self.snapshot(2, Sharing(mode: mode, until: test.now + 30_000, then: .paused)))
        test.iterate(WorldUnderTest.report(1, test.fix(2, lat: 50.1235)))
        #expect(test.position(of: 7)?.coordinate?.latitude == (mode == .live ? 50.1235 : 50.12))
        let effects = test.pass(35_000)
        #expect(effects.changes.last?.members.last?.profile?.sharing == .paused)
        #expect(test.position(of: 7)?.coordinate == nil)
        test.iterate(WorldUnderTest.report(1, test.fix(3, lat: 50.1236)))
        #expect(test.position(of: 7)?.coordinate == nil)
        // What was taken within the pause stays hidden afterwards.
        test.iterate(Self.snapshot(3, Sharing(visibleSince: test.now + 1)))
        #expect(test.sharing(of: 7) == .live && test.position(of: 7)?.coordinate == nil)
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
        test.iterate(WorldUnderTest.report(1, fix))
        test.iterate(Self.snapshot(2, Sharing(mode: .approximate)))
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
        test.iterate(.groupChanged(group, answer: nil))
        // 9 is with 7 and 8, and 10 is 3 km away.
        for sequence in 1...40 as ClosedRange<Int64> {
            for (user, latitude) in zip(people, [50, 50.0001, 50.0002, 50.03]) {
                test.iterate(WorldUnderTest.report(user, test.fix(sequence, lat: latitude)))
            }
            test.pass(10_000)
        }
        let gathering = try #require(test.world.roster(of: GroupID(1))?.gathering)
        // Two of two: no member is absent.
        #expect(gathering.together == [UserID(7), UserID(8)])
        #expect(gathering.absent == [])
        #expect(test.world.counters.alerts == 0)
    }

    @Test("what storage has not taken narrows sharing at once, and never widens it")
    func narrowed() {
        var test = Self.world()
        let change = WorldUnderTest.change(1, of: 7, in: 1, .paused)
        let effects = test.iterate(.sharingNarrowed(change), .answerRequested(WorldUnderTest.answer(1)))
        #expect(effects.story == ["publish", "answer", "rosterChanged"])
        #expect(effects.changes.first?.members.first?.position?.coordinate == nil)
        #expect(effects.changes.first?.members.first?.profile?.sharing == .paused)
        test.iterate(
            .sharingNarrowed(WorldUnderTest.change(2, of: 7, .approximate)),
            .sharingNarrowed(WorldUnderTest.change(3, of: 7, .live))
        )
        test.iterate(WorldUnderTest.report(1, test.fix(2, lat: 50.1235)))
        #expect(test.position(of: 7)?.coordinate == nil)
        // A repeated read returns the state from before the change.
        test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        #expect(test.position(of: 7)?.coordinate == nil)
        // The change is resolved after a newer read; the hidden position stays hidden.
        test.now = test.now + 1_000
        test.iterate(Self.snapshot(2, Sharing()), .sharingResolved(change))
        #expect(test.sharing(of: 7) == .approximate)
        test.iterate(.sharingResolved(WorldUnderTest.change(2, of: 7, .approximate)))
        #expect(test.sharing(of: 7) == .live)
        #expect(test.position(of: 7)?.coordinate == nil)
        test.iterate(WorldUnderTest.report(1, test.fix(3, lat: 50.1236)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.1236)
    }

    @Test(
        "no change of a group ends what storage has not taken, in groups that are loaded meanwhile too",
        arguments: [Sharing.Mode.paused, .approximate]
    )
    func everyChange(_ mode: Sharing.Mode) {
        var test = Self.world()
        let change = WorldUnderTest.change(1, of: 7, mode)
        test.iterate(.sharingNarrowed(change))
        var settings = GroupSettings()
        settings.radius = 500
        var snapshots = [
            WorldUnderTest.group(1, revision: 2, members: [7, 8, 9]),
            WorldUnderTest.group(1, revision: 3, members: [7, 9]),
            WorldUnderTest.group(1, revision: 4, members: [7, 9]),
            WorldUnderTest.group(1, revision: 5, members: [7, 9]),
            WorldUnderTest.group(1, revision: 6, members: [9, 7]),
            WorldUnderTest.group(1, revision: 7, members: [7, 9], sharing: [9: Sharing(mode: .paused)]),
        ]
        snapshots[2].name = "Another name"
        snapshots[3].settings = settings
        var sequence: Int64 = 10
        func isHidden(_ group: Int64) -> Bool {
            sequence += 1
            test.now = test.now + 1_000
            test.iterate(WorldUnderTest.report(1, test.fix(sequence, lat: 50.1234)))
            let seen = test.sharing(of: 7, in: group)
            return seen == mode && test.position(of: 7, in: group)?.coordinate?.latitude != 50.1234
        }
        for snapshot in snapshots {
            test.iterate(.groupChanged(snapshot, answer: nil))
            #expect(isHidden(1), "revision \(snapshot.revision)")
        }
        // Another group of the user, read or joined while the change is pending.
        test.iterate(.groupChanged(WorldUnderTest.group(2, members: [7, 8]), answer: nil))
        #expect(isHidden(2))
        // Removed and added again.
        test.iterate(.groupChanged(WorldUnderTest.group(2, revision: 2, members: [8]), answer: nil))
        test.iterate(.groupChanged(WorldUnderTest.group(2, revision: 3, members: [7, 8]), answer: nil))
        #expect(isHidden(2))
        // A later change for one group applies to that group only.
        let wider = WorldUnderTest.change(2, of: 7, in: 2, .live)
        test.iterate(.groupChanged(WorldUnderTest.group(2, revision: 4, members: [7, 8]), answer: nil))
        test.iterate(.sharingResolved(wider))
        #expect(!isHidden(2))
        #expect(isHidden(1))
        let stored = Dictionary(uniqueKeysWithValues: [(Int64(7), Sharing(mode: mode))])
        test.iterate(
            .groupChanged(WorldUnderTest.group(1, revision: 8, members: [7, 9], sharing: stored), answer: nil),
            .sharingResolved(change)
        )
        #expect(isHidden(1))
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 9, members: [7, 9]), answer: nil))
        #expect(!isHidden(1))
    }

    /// A change that storage has not confirmed, and what is seen after 20, 40, 60 and 80 seconds.
    struct Unconfirmed: Sendable {
        let stored: (mode: Sharing.Mode, until: Int64?, then: Sharing.After)
        let change: (mode: Sharing.Mode, until: Int64?, then: Sharing.After)
        let seen: [Sharing.Mode]
    }

    @Test(
        "of storage's setting and one that storage has not taken the narrower counts, at each moment",
        arguments: [
            Unconfirmed(
                stored: (.live, nil, .live),
                change: (.approximate, 30, .paused),
                seen: [.approximate, .paused, .paused, .paused]
            ),
            Unconfirmed(
                stored: (.approximate, 50, .live),
                change: (.approximate, 30, .paused),
                seen: [.approximate, .paused, .paused, .paused]
            ),
            Unconfirmed(
                stored: (.approximate, 50, .paused),
                change: (.approximate, 30, .live),
                seen: [.approximate, .approximate, .paused, .paused]
            ),
            Unconfirmed(
                stored: (.paused, 50, .live),
                change: (.approximate, 70, .paused),
                seen: [.paused, .paused, .approximate, .paused]
            ),
            Unconfirmed(
                stored: (.live, 50, .paused),
                change: (.approximate, 30, .live),
                seen: [.approximate, .live, .paused, .paused]
            ),
        ]
    )
    func unconfirmed(_ example: Unconfirmed) {
        var test = Self.world()
        let begin = test.now
        func end(_ seconds: Int64?) -> Timestamp? { seconds.map { begin + $0 * 1_000 } }
        let (stored, change) = (example.stored, example.change)
        test.iterate(Self.snapshot(2, Sharing(mode: stored.mode, until: end(stored.until), then: stored.then)))
        test.iterate(
            .sharingNarrowed(
                WorldUnderTest.change(1, of: 7, change.mode, until: end(change.until), then: change.then)
            )
        )
        var seen: [Sharing.Mode?] = []
        for _ in example.seen {
            test.pass(20_000)
            seen.append(test.sharing(of: 7))
        }
        #expect(seen == example.seen)
    }

    @Test("a pause that was to end goes on when storage cannot take a longer one, and for as long as that was meant")
    func narrowedForLonger() {
        var test = Self.world()
        test.iterate(Self.snapshot(2, Sharing(mode: .paused, until: test.now + 30_000)))
        test.iterate(.sharingNarrowed(WorldUnderTest.change(1, of: 7, .paused, until: test.now + 90_000)))
        test.pass(60_000)
        test.iterate(WorldUnderTest.report(1, test.fix(2, lat: 50.1235)))
        #expect(test.position(of: 7)?.coordinate == nil)
        test.pass(60_000)
        test.iterate(WorldUnderTest.report(1, test.fix(3, lat: 50.1236)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.1236)
    }

    @Test("narrowing reaches the named group alone, and outlasts that it is forgotten while nobody is here")
    func narrowedGroupIsForgotten() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8], 2: [7, 9]])
        test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50.1234)))
        test.iterate(.sharingNarrowed(WorldUnderTest.change(1, of: 7, in: 1, .approximate)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.12)
        #expect(test.position(of: 7, in: 2)?.coordinate?.latitude == 50.1234)
        test.iterate(.sessionClosed(SessionID(1)))
        test.commit()
        test.pass(4_000_000)
        test.commit()
        test.pass(4_000_000)
        #expect(test.world.roster(of: GroupID(1)) == nil)
        test.open(2, user: 8, members: [1: [7, 8], 2: [7, 9]])
        #expect(test.sharing(of: 7) == .approximate)
    }
}
