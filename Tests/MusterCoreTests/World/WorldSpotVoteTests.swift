import Testing

@testable import MusterCore

@Suite("Votes on spots") struct WorldSpotVoteTests {
    private static let spot = SpotID(7)

    /// Two sessions that received the spot, and a third that did not.
    private static func world() -> WorldUnderTest {
        var test = WorldUnderTest()
        for session in 1...3 as ClosedRange<Int64> { test.open(session, user: session) }
        test.iterate(.spots(.sent(SessionID(1), [Self.spot])), .spots(.sent(SessionID(2), [Self.spot])))
        return test
    }

    private static func votes(_ likes: Int) -> SpotVotes { SpotVotes(spot: Self.spot, likes: likes, dislikes: 0) }

    private static func counted(_ likes: Int) -> WorldInput {
        .answered(.votes([Self.spot]), .votes([Self.votes(likes)]))
    }

    @Test("a vote is counted at once, and told to those who were sent the spot")
    func vote() {
        var effects: [WorldEffect]
        var test = Self.world()
        effects = test.iterate(.spots(.voted(Self.spot, by: nil)))
        #expect(effects.counted == [Self.spot])
        let notified = test.iterate(Self.counted(1))
        #expect(notified.messages(to: 1) == [.spotChanged(Self.votes(1))])
        #expect(notified.messages(to: 2) == [.spotChanged(Self.votes(1))])
        #expect(notified.messages(to: 3).isEmpty)
    }

    @Test("a spot is told at most once a second however many vote, and the last count comes after the last vote")
    func conflation() {
        var test = Self.world()
        var stored = 0
        var notified: [(at: Timestamp, votes: Int)] = []
        var counting = false
        let start = test.now
        for step in 0..<100 {
            test.now = start + Int64(step) * 50
            // Three votes in each of the first 80 steps; storage answers one step later.
            var inputs: [WorldInput] = counting ? [Self.counted(stored)] : []
            counting = false
            if step < 80 {
                stored += 3
                inputs += Array(repeating: .spots(.voted(Self.spot, by: SessionID(3))), count: 3)
            }
            var effects: [WorldEffect] = []
            test.world.apply(inputs, at: test.now, into: &effects)
            if step.isMultiple(of: 2) { test.world.tick(at: test.now, into: &effects) }
            test.world.endIteration(into: &effects)
            if !effects.counted.isEmpty { counting = true }
            for case .spotChanged(let votes) in effects.messages(to: 1) { notified.append((test.now, votes.likes)) }
        }
        #expect(notified.last?.votes == stored)
        #expect(notified.count >= 4)
        for (first, next) in zip(notified, notified.dropFirst()) { #expect(next.at - first.at >= World.votesInterval) }
    }

    @Test("nobody counts for nobody; who is sent the spot soon after a vote is told how it stands")
    func race() {
        var effects: [WorldEffect]
        var test = WorldUnderTest()
        test.open(1, user: 1)
        test.open(2, user: 2)
        effects = test.iterate(.spots(.voted(Self.spot, by: nil)))
        #expect(effects.counted.isEmpty)
        test.pass(3_000)
        effects = test.iterate(.spots(.sent(SessionID(1), [Self.spot])))
        #expect(effects.counted == [Self.spot])
        effects = test.iterate(Self.counted(1))
        #expect(effects.messages(to: 1) == [.spotChanged(Self.votes(1))])
        // Another session that receives the spot late is notified alone.
        test.pass(2_000)
        effects = test.iterate(.spots(.sent(SessionID(2), [Self.spot])))
        #expect(effects.counted == [Self.spot])
        let notified = test.iterate(Self.counted(1))
        #expect(notified.messages(to: 1).isEmpty)
        #expect(notified.messages(to: 2) == [.spotChanged(Self.votes(1))])
        // Much later, a query result already includes the vote.
        test.pass(World.votesMemory + 1_000)
        effects = test.iterate(.spots(.sent(SessionID(2), [Self.spot])))
        #expect(effects.counted.isEmpty)
        #expect(test.world.votes.isEmpty)
    }

    @Test("what storage could not count is counted later; a spot that is gone is counted no more")
    func failure() {
        var effects: [WorldEffect]
        var test = Self.world()
        test.iterate(.spots(.voted(Self.spot, by: nil)))
        test.iterate(.answered(.votes([Self.spot]), nil))
        effects = test.pass(World.countingPause - 1_000)
        #expect(effects.counted.isEmpty)
        effects = test.pass(1_000)
        #expect(effects.counted == [Self.spot])
        effects = test.iterate(Self.counted(2))
        #expect(effects.messages(to: 2) == [.spotChanged(Self.votes(2))])
        test.iterate(.spots(.voted(Self.spot, by: nil)))
        test.iterate(.spots(.deleted([Self.spot])))
        effects = test.pass(5_000)
        #expect(effects.counted.isEmpty)
        effects = test.iterate(.spots(.voted(Self.spot, by: nil)))
        #expect(effects.counted.isEmpty)
        effects = test.iterate(.spots(.sent(SessionID(3), [Self.spot])))
        #expect(effects.messages(to: 3) == [.spotGone(Self.spot)])
        #expect(test.world.votes.isEmpty)
    }
}

extension [WorldEffect] {
    /// The spots whose votes are to be counted, in order.
    fileprivate var counted: [SpotID] {
        var counted: [SpotID] = []
        for case .ask(.votes(let spots)) in self { counted += spots }
        return counted
    }
}
