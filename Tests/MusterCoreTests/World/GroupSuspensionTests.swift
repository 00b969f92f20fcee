import Testing

@testable import MusterCore

/// A group that takes too long never blocks the others.
@Suite("Groups that are set aside")
struct GroupSuspensionTests {
    /// Users 7, 8 and 9 in group 1, where 7 and 8 have met; user 5 in group 2.
    private static func town(_ change: (inout WorldConfiguration) -> Void = { _ in }) -> WorldUnderTest {
        var test = WorldUnderTest(change)
        for user in [7, 8, 9] as [Int64] { test.open(user, user: user, members: [1: [7, 8, 9]]) }
        test.open(5, user: 5, members: [2: [5]])
        return test
    }

    private static func meet(_ test: inout WorldUnderTest, _ sequences: ClosedRange<Int64>) -> [WorldEffect] {
        sequences.flatMap { sequence in
            test.iterate(
                WorldUnderTest.report(7, test.fix(sequence, lat: 50, at: test.now - 30)),
                WorldUnderTest.report(8, test.fix(sequence, lat: 50.0001, at: test.now - 20)),
                WorldUnderTest.report(9, test.fix(sequence, lat: 50.0002, at: test.now - 10))
            ) + test.pass(10_000)
        }
    }

    private static func troubles(_ effects: [WorldEffect]) -> [WorldFault] {
        effects.compactMap { if case .trouble(let trouble) = $0 { trouble } else { nil } }
    }

    private static func records(_ effects: [WorldEffect]) -> [GroupSuspension?] {
        effects.records.compactMap { if case .suspension(GroupID(1), let aside) = $0 { .some(aside) } else { nil } }
    }

    @Test("a decision of too many instants is given up: the group is as it was, its roster goes on, others decide")
    func exhausted() throws {
        var test = Self.town { $0.instantBudget = 1 }
        // Three fixes of a tick have three different times.
        var effects = Self.meet(&test, 1...1)
        let aside = try #require(test.world.groups.value(of: GroupID(1))?.suspension)
        #expect(aside.cause == .exhausted && aside.tries == 1 && aside.retryAt == aside.since + 60_000)
        #expect(Self.troubles(effects) == [.suspension(GroupID(1), aside)])
        #expect(Self.records(effects) == [aside])
        #expect(test.world.counters.suspendedGroups == 1 && test.world.counters.suspensions == 1)
        // The members still see each other.
        effects = test.iterate(WorldUnderTest.report(7, test.fix(2, lat: 50.0003))) + test.pass(2_000)
        #expect(effects.story.contains("rosterChanged"))
        // The other group is still evaluated.
        effects = test.iterate(WorldUnderTest.report(5, test.fix(1, lat: 40))) + test.pass(10_000)
        #expect(Self.troubles(effects).isEmpty)
        #expect(test.world.groups.value(of: GroupID(2))?.suspension == nil)
    }

    @Test("the pause before the next try doubles, up to an hour")
    func retries() throws {
        var test = Self.town { $0.instantBudget = 1 }
        var effects = Self.meet(&test, 1...1)
        for _ in 0..<6 { effects += Self.meet(&test, 2...60) }
        let pauses = Self.records(effects).compactMap { $0 }.map { $0.tries }
        #expect(pauses == Array(1...pauses.count) && pauses.count > 3)
        let asides = Self.records(effects).compactMap { $0 }
        let waits = zip(asides, asides.dropFirst()).map { $1.retryAt - $0.retryAt }
        #expect(waits.first ?? 0 > 60_000 && waits == waits.sorted())
        #expect(
            GroupSuspension(
                .slow,
                after: GroupSuspension(cause: .slow, since: test.now, retryAt: test.now, tries: 90),
                at: test.now
            ).retryAt == test.now + 3_600_000
        )
    }

    @Test("a call of more than a second counts, and the group is set aside from its next step on")
    func slow() throws {
        let time = SharedTime()
        var test = Self.town { $0.stopwatch = { time.read() } }
        _ = Self.meet(&test, 1...30)
        #expect(test.world.groups.value(of: GroupID(1))?.machine.status != nil)
        time.step = 1_100_000_000
        var effects = Self.meet(&test, 31...31)
        #expect(test.world.groups.value(of: GroupID(1))?.suspension?.cause == .slow)
        #expect(Self.records(effects).compactMap { $0?.cause } == [.slow])
        // Evaluation resumes with the members' positions at that time.
        time.step = 0
        effects = Self.meet(&test, 32...50)
        #expect(Self.troubles(effects) == [.tookUp(GroupID(1))])
        #expect(test.world.groups.value(of: GroupID(1))?.machine.status?.together.count == 3)
    }

    @Test("who pauses or leaves while their group is set aside is hidden at once")
    func hiding() throws {
        let time = SharedTime()
        var test = Self.town { $0.stopwatch = { time.read() } }
        _ = Self.meet(&test, 1...30)
        time.step = 1_100_000_000
        _ = Self.meet(&test, 31...31)
        #expect(test.world.groups.value(of: GroupID(1))?.suspension != nil)
        let paused = [9: Sharing(mode: .paused)] as [Int64: Sharing]
        test.iterate(
            .groupChanged(WorldUnderTest.group(1, revision: 2, members: [7, 8, 9], sharing: paused), answer: nil)
        )
        #expect(test.world.roster(of: GroupID(1))?.gathering?.together == [UserID(7), UserID(8)])
        test.iterate(
            .groupChanged(WorldUnderTest.group(1, revision: 3, members: [7, 9], sharing: paused), answer: nil)
        )
        #expect(test.world.roster(of: GroupID(1))?.gathering?.together == [UserID(7)])
        #expect(test.world.groups.value(of: GroupID(1))?.suspension != nil)
    }
}

/// A clock that advances by a step at each reading.
private final class SharedTime: @unchecked Sendable {
    // The tests of one world read it on one thread.
    var step: Int64 = 0
    private var now: Int64 = 0

    func read() -> Int64 {
        self.now += self.step
        return self.now
    }
}
