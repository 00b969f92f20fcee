import Testing

@testable import MusterCore

/// The server's clock was ahead for a while, and is corrected.
@Suite("A clock that was ahead")
struct WorldTimeTests {
    /// The lead of the clock, in milliseconds.
    static let leads: [Int64] = [40_000, 300_000, 7_200_000, 36_000_000]

    private static let members: [Int64: [Int64]] = [1: [7, 8]]

    /// The roster entry of 7 as others see it.
    private static func view(_ test: WorldUnderTest) -> RosterEntry? {
        test.world.roster(of: GroupID(1))?.members.first { $0.user == UserID(7) }
    }

    /// Group 1 of 7 and 8, where 7 shares as said.
    private static func snapshot(_ revision: Int64, _ sharing: Sharing) -> WorldInput {
        .groupChanged(WorldUnderTest.group(1, revision: revision, members: [7, 8], sharing: [7: sharing]), answer: nil)
    }

    /// Users 7 and 8, of whom 7 reports once while the clock is ahead; then it is put right.
    private static func town(lead: Int64) -> WorldUnderTest {
        var test = WorldUnderTest()
        let now = test.now
        test.now = now + lead
        for user in [7, 8] as [Int64] { test.open(user, user: user, members: Self.members) }
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: 50)))
        test.pass(1_000)
        test.now = now
        test.pass(1_000)
        return test
    }

    @Test("the next fix is shown, and the next from far away as soon as a second one agrees", arguments: leads)
    func newest(lead: Int64) {
        var test = Self.town(lead: lead)
        test.iterate(WorldUnderTest.report(7, test.fix(2, lat: 50.0001)))
        #expect(Self.view(test)?.position?.coordinate?.latitude == 50.0001)
        for sequence in 3...4 as ClosedRange<Int64> {
            test.pass(5_000)
            test.iterate(WorldUnderTest.report(7, test.fix(sequence, lat: 51)))
        }
        #expect(Self.view(test)?.position?.coordinate?.latitude == 51)
    }

    @Test("the place from then is not live once the clock is right", arguments: leads.filter { $0 > 60_000 })
    func freshness(lead: Int64) {
        var test = Self.town(lead: lead)
        #expect(Self.view(test)?.position?.freshness == .stale)
        // Nor once the time that it claims has come.
        test.pass(lead)
        #expect(Self.view(test)?.position?.freshness == .stale)
        #expect(Freshness(of: test.now + lead, isStationary: true, at: test.now) == .stale)
    }

    @Test("what was stored ahead of now gives way to the first fix after a start", arguments: leads)
    func loaded(lead: Int64) {
        var test = WorldUnderTest()
        let fix = Fix(
            sequence: 1,
            at: test.now + lead,
            coordinate: Coordinate(latitude: 50, longitude: 10),
            accuracy: 5
        )
        var arrival = WorldUnderTest.arrival(7, groups: [1], acked: 1)
        arrival.position = StoredPosition(device: arrival.device, fix: fix, isStationary: true)
        test.iterate(
            .sessionOpened(SessionOpening(session: SessionID(7), tag: nil, arrival: arrival, login: LoginID(7)))
        )
        test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        test.iterate(WorldUnderTest.report(7, test.fix(2, lat: 50.0001)))
        #expect(Self.view(test)?.position?.coordinate?.latitude == 50.0001)
    }

    @Test(
        "a pause that ended while the clock was ahead hides what came before, and nothing after the clock is right",
        arguments: leads.filter { $0 > 60_000 }
    )
    func visibility(lead: Int64) {
        var test = WorldUnderTest()
        let now = test.now
        test.now = now + lead
        for user in [7, 8] as [Int64] { test.open(user, user: user, members: Self.members) }
        test.iterate(Self.snapshot(2, Sharing(mode: .paused)))
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: 50)))
        test.pass(1_000)
        let resumed = Sharing(visibleSince: test.now, hasPaused: true)
        test.iterate(Self.snapshot(3, resumed))
        test.now = now
        test.pass(1_000)
        #expect(Self.view(test)?.position?.coordinate == nil)
        // After a pause the clock of the device must be known, which takes three arrivals.
        for sequence in 2...4 as ClosedRange<Int64> {
            test.pass(5_000)
            test.iterate(WorldUnderTest.report(7, test.fix(sequence, lat: 50.0001)))
        }
        #expect(Self.view(test)?.position?.coordinate?.latitude == 50.0001)
        // Storage keeps the moment that it was given.
        test.pass(5_000)
        test.iterate(Self.snapshot(4, resumed))
        #expect(Self.view(test)?.position?.coordinate?.latitude == 50.0001)
    }

    @Test("a `visibleSince` stored ahead of now hides no fix after a start", arguments: leads.filter { $0 > 60_000 })
    func loadedVisibility(lead: Int64) {
        var test = WorldUnderTest()
        let sharing = Sharing(visibleSince: test.now + lead, hasPaused: true)
        let opening = WorldUnderTest.opening(7, user: 7, groups: [1])
        test.iterate(
            .sessionOpened(opening),
            .groupLoaded(WorldUnderTest.group(1, members: [7, 8], sharing: [7: sharing]))
        )
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: 50)))
        #expect(Self.view(test)?.position?.coordinate?.latitude == 50)
    }

    @Test("who asked where someone is while the clock was ahead may ask again after a minute", arguments: leads)
    func locate(lead: Int64) {
        var test = WorldUnderTest()
        let now = test.now
        test.now = now + lead
        for user in [7, 8] as [Int64] { test.open(user, user: user, members: Self.members) }
        let ask = WorldInput.locateRequested(SessionID(7), nil, group: GroupID(1), user: UserID(8))
        test.iterate(ask)
        test.now = now
        test.pass(61_000)
        let refused = test.iterate(ask).contains { if case .refused = $0 { true } else { false } }
        #expect(!refused)
    }

    @Test("who meets after the clock was put right gathers as always", arguments: leads)
    func gatherings(lead: Int64) {
        var test = Self.town(lead: lead)
        var began = 0
        for sequence in 2...40 as ClosedRange<Int64> {
            var effects = test.iterate(
                WorldUnderTest.report(7, test.fix(sequence, lat: 50)),
                WorldUnderTest.report(8, test.fix(sequence, lat: 50.0001))
            )
            effects += test.pass(10_000)
            began += effects.records.count { if case .gathering = $0 { true } else { false } }
        }
        #expect(began == 1)
    }

    @Test("a gathering that was stored ahead of now goes on from where it was", arguments: leads)
    func storedGathering(lead: Int64) throws {
        let stored = try #require(GatheringStorageTests.machine(after: 300).stored)
        var restored = try #require(
            GatheringMachine(
                restoring: stored,
                settings: GroupSettings(),
                members: GatheringStorageTests.members,
                at: GatheringScene.moment(300) - lead
            )
        )
        #expect(restored.status?.together.count == 3)
        var identifiers = IdentifierGenerator(node: 0)
        _ = restored.evaluate(at: GatheringScene.moment(300) - lead + 4 * 3_600_000, identifiers: &identifiers)
        #expect(restored.status == nil)
    }
}
