import Testing

@testable import MusterCore

@Suite("Stored gatherings")
struct GatheringStorageTests {
    static let members = (1...4).map { GatheringMachine.Member(user: UserID(Int64($0)), isSharingLive: true) }

    /// Three at the cafe and one at home, after so many seconds.
    static func machine(after seconds: Int) -> GatheringMachine {
        var machine = GatheringMachine(settings: GroupSettings(), members: self.members, at: GatheringScene.start)
        var identifiers = IdentifierGenerator(node: 0)
        for second in 0..<seconds {
            let now = GatheringScene.moment(Double(second))
            for user: Int64 in 1...4 {
                let observation = GatheringObservation(
                    device: DeviceID(user),
                    sequence: Int64(second + 1),
                    at: now,
                    coordinate: GatheringScene.cafe.moved(user == 4 ? 3000 : 10, bearing: 90 * Double(user)),
                    accuracy: 8,
                    isStationary: false
                )
                machine.observe(UserID(user), observation, receivedAt: now)
            }
            _ = machine.evaluate(at: now, identifiers: &identifiers)
        }
        return machine
    }

    @Test("what is stored comes back the same", arguments: [6, 60, 300])
    func roundTrip(seconds: Int) throws {
        let stored = try #require(Self.machine(after: seconds).stored)
        let now = GatheringScene.moment(Double(seconds))
        let restored = try #require(
            GatheringMachine(restoring: stored, settings: GroupSettings(), members: Self.members, at: now)
        )
        #expect(restored.stored == stored)
        #expect(restored.status?.together.count == (seconds == 300 ? 3 : nil))
    }

    @Test("the state of a group of four takes a few hundred bytes")
    func size() throws {
        let stored = try #require(Self.machine(after: 300).stored)
        #expect(stored.state.count < 520)
    }

    @Test("no damage brings the server down")
    func damage() throws {
        let stored = try #require(Self.machine(after: 300).stored)
        let seed: UInt64 = 99
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<5000 {
            var state = stored.state
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                state[Int.random(in: 0..<state.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { state.removeLast(Int.random(in: 0..<state.count, using: &random)) }
            let restored = GatheringMachine(
                restoring: StoredGathering(state: state),
                settings: GroupSettings(),
                members: Self.members,
                at: GatheringScene.moment(400)
            )
            guard var machine = restored else {
                refused += 1
                continue
            }
            var identifiers = IdentifierGenerator(node: 0)
            _ = machine.evaluate(at: GatheringScene.moment(500), identifiers: &identifiers)
        }
        #expect(refused > 2500, "seed \(seed)")
    }

    @Test("a version that is not known is refused, and so is nothing")
    func version() throws {
        var state = try #require(Self.machine(after: 300).stored).state
        state[0] = 3
        for damaged in [state, []] {
            let stored = StoredGathering(state: damaged)
            let machine = GatheringMachine(
                restoring: stored,
                settings: GroupSettings(),
                members: Self.members,
                at: GatheringScene.start
            )
            #expect(machine == nil)
        }
    }

    @Test("who left or paused while the server was down takes no part any more")
    func changedMembers() throws {
        let stored = try #require(Self.machine(after: 300).stored)
        var members = Self.members
        members[0].isSharingLive = false
        members.removeLast()
        let now = GatheringScene.moment(301)
        var machine = try #require(
            GatheringMachine(restoring: stored, settings: GroupSettings(), members: members, at: now)
        )
        var identifiers = IdentifierGenerator(node: 0)
        _ = machine.evaluate(at: now, identifiers: &identifiers)
        #expect(machine.status?.together.map(\.rawValue) == [2, 3])
        #expect(machine.status?.absent == [])
    }
}
