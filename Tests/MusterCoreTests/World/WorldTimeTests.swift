import Testing

@testable import MusterCore

/// The server's clock was ahead for a while, and is put right.
@Suite("A clock that was ahead")
struct WorldTimeTests {
    /// How far the clock was ahead, in milliseconds.
    static let leads: [Int64] = [40_000, 300_000, 7_200_000, 36_000_000]

    private static let members: [Int64: [Int64]] = [1: [7, 8]]

    /// The place that others see of 7, and how fresh it is.
    private static func view(_ test: WorldUnderTest) -> RosterEntry? {
        test.world.roster(of: GroupID(1))?.members.first { $0.user == UserID(7) }
    }

    /// Users 7 and 8, of whom 7 reports once while the clock is ahead; then it is put right.
    private static func town(lead: Int64) -> WorldUnderTest {
        var test = WorldUnderTest()
        let now = test.now
        test.now = now + lead
        for user in [7, 8] as [Int64] { test.open(user, user: user, members: Self.members) }
        test.turn(WorldUnderTest.report(7, test.fix(1, lat: 50)))
        test.pass(1_000)
        test.now = now
        test.pass(1_000)
        return test
    }

    @Test("the next fix is shown, and the next from far away as soon as a second one agrees", arguments: leads)
    func newest(lead: Int64) {
        var test = Self.town(lead: lead)
        test.turn(WorldUnderTest.report(7, test.fix(2, lat: 50.0001)))
        #expect(Self.view(test)?.position?.coordinate?.latitude == 50.0001)
        for sequence in 3...4 as ClosedRange<Int64> {
            test.pass(5_000)
            test.turn(WorldUnderTest.report(7, test.fix(sequence, lat: 51)))
        }
        #expect(Self.view(test)?.position?.coordinate?.latitude == 51)
    }

    @Test("the place from then is not live once the clock is right", arguments: leads.filter { $0 > 60_000 })
    func freshness(lead: Int64) {
        let test = Self.town(lead: lead)
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
        test.turn(.sessionOpened(SessionOpening(session: SessionID(7), tag: nil, arrival: arrival, login: LoginID(7))))
        test.turn(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        test.turn(WorldUnderTest.report(7, test.fix(2, lat: 50.0001)))
        #expect(Self.view(test)?.position?.coordinate?.latitude == 50.0001)
    }

    @Test("who meets after the clock was put right gathers as always", arguments: leads)
    func gatherings(lead: Int64) {
        var test = Self.town(lead: lead)
        var began = 0
        for sequence in 2...40 as ClosedRange<Int64> {
            var effects = test.turn(
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
