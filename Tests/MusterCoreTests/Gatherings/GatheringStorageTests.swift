import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore

@Suite("Stored gatherings")
struct GatheringStorageTests {
    static let members = (1...4).map { GatheringMachine.Member(user: UserID(Int64($0)), isSharingLive: true) }

    /// Three at the café and one at home, after this many seconds.
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

    @Test("the state of a group of four is some kilobytes that people can read, and comes back to the last bit")
    func readable() throws {
        let state = try #require(Self.machine(after: 300).stored)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(state)
        #expect(data.count < 5000)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(#""begin":"2027-01-15T08:03:"#))
        #expect(try JSONDecoder().decode(GatheringState.self, from: data) == state)
    }

    @Test("no damage brings the server down")
    func damage() throws {
        let state = try #require(DepartureStoryTests.ride(speed: 25, interval: 10).machine(at: 690).machine.stored)
        let bytes = try Array(JSONEncoder().encode(state))
        let seed: UInt64 = 99
        var random = SeededGenerator(seed: seed)
        var (refused, restored) = (0, 0)
        let digits = Array("0123456789-.e".utf8)
        for _ in 0..<5000 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                // Mostly a different digit: other damage is no valid JSON, or no valid state.
                var place = Int.random(in: 0..<damaged.count, using: &random)
                while !digits.contains(damaged[place]) { place = (place + 1) % damaged.count }
                damaged[place] = digits[Int.random(in: 0..<digits.count, using: &random)]
            }
            guard let state = try? JSONDecoder().decode(GatheringState.self, from: Data(damaged)) else { continue }
            let machine = GatheringMachine(
                restoring: state,
                settings: GroupSettings(),
                members: Self.members,
                at: GatheringScene.moment(700)
            )
            guard var machine else {
                refused += 1
                continue
            }
            restored += 1
            var identifiers = IdentifierGenerator(node: 0)
            _ = machine.evaluate(at: GatheringScene.moment(900), identifiers: &identifiers)
        }
        #expect(refused > 20 && restored > 500, "seed \(seed): \(refused), \(restored)")
    }

    @Test("a version that is not known is refused")
    func version() throws {
        var state = try #require(Self.machine(after: 300).stored)
        state.version = 5
        let machine = GatheringMachine(
            restoring: state,
            settings: GroupSettings(),
            members: Self.members,
            at: GatheringScene.start
        )
        #expect(machine == nil)
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

    @Test("the state that an older version stored in the middle of a departure goes on: who is left is told, once")
    func olderDeparture() throws {
        var scene = DepartureStoryTests.ride(speed: 25, interval: 10)
        let reference = scene.play(until: 2400)
        let readable = Data(OlderState.riding.utf8)
        scene.older = try JSONDecoder().decode(GatheringState.self, from: readable)
        let outcome = scene.play(until: 2400, restarts: [700])
        #expect(outcome.notified == ["4 departed"])
        #expect(outcome.alerts == reference.alerts)
        #expect(outcome.began.count == 1 && outcome.ended.isEmpty)
    }

    @Test("a stored gathering that is elsewhere and whose members have fallen silent goes on, and ends by itself")
    func silentElsewhere() throws {
        let stored = try JSONDecoder().decode(GatheringState.self, from: Data(OlderState.riding.utf8))
        // They do not stay usable for as long as their new place must last.
        let machine = GatheringMachine(
            restoring: stored,
            settings: GroupSettings(dwell: 3600),
            members: Self.members,
            at: GatheringScene.moment(705)
        )
        var restored = try #require(machine)
        var identifiers = IdentifierGenerator(node: 0)
        let events = restored.evaluate(at: GatheringScene.moment(4 * 3600), identifiers: &identifiers)
        #expect(events.contains { if case .ended = $0 { true } else { false } })
        #expect(!restored.isExhausted && restored.status == nil)
    }

    @Test("in the middle of a departure, too, what is stored comes back the same")
    func departureRoundTrip() throws {
        let scene = DepartureStoryTests.ride(speed: 25, interval: 10)
        var seen: Set<UInt8> = []
        for second in stride(from: 600.0, to: 760, by: 10) {
            let (machine, live) = scene.machine(at: second)
            let stored = try #require(machine.stored)
            let restored = GatheringMachine(
                restoring: stored,
                settings: scene.settings,
                members: live.map { GatheringMachine.Member(user: $0, isSharingLive: true) },
                at: GatheringScene.moment(second)
            )
            #expect(restored?.stored == stored)
            guard case .gathered(let gathering) = machine.phase else { continue }
            for entry in gathering.departures.entries {
                switch entry.state {
                case .undecided: seen.insert(0)
                case .leftByChoice: seen.insert(1)
                case .notified: seen.insert(2)
                case .inPassing: seen.insert(3)
                }
            }
        }
        #expect(seen == [0, 2])
    }
}
