import Testing

@testable import MusterCore

/// The fast path handles fixes that change nothing, unless the machine is traced.
///
/// Both paths must decide the same.
@Suite("The short way")
struct GatheringFastPathTests {
    @Test("a machine that looks at every instant by itself decides the same", arguments: 1...30)
    func traced(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) &+ 9000)
        let count = seed.isMultiple(of: 5) ? 30 : Int.random(in: 2...9, using: &random)
        let settings = GroupSettings(dwell: [0, 30][seed % 2], maxAbsent: 2, cooldown: 300)
        let members = (0..<count).map { GatheringMachine.Member(user: UserID(Int64($0 + 1)), isSharingLive: true) }
        var short = GatheringMachine(settings: settings, members: members, at: GatheringScene.start)
        var long = short
        long.trace = []
        var identifiers = (IdentifierGenerator(node: 0), IdentifierGenerator(node: 0))
        var eventCount = 0
        let spots = [0.0, 20, 95, 105, 148, 170, 210, 900].map {
            GatheringScene.cafe.moved($0, bearing: .random(in: 0..<360, using: &random))
        }
        var at = (0..<count).map { _ in Int.random(in: 0..<3, using: &random) }
        for second in stride(from: 0.0, to: 2400, by: 5) {
            let now = GatheringScene.moment(second)
            for slot in 0..<count {
                if Int.random(in: 0..<60, using: &random) == 0 {
                    at[slot] = Int.random(in: 0..<spots.count, using: &random)
                }
                // Now and then a member is silent for a long time.
                if Int((second / 400).rounded(.down)) % 4 == 3, slot.isMultiple(of: 3) { continue }
                // One member drives far from all others, walks, and rests in between: distances to others are seldom
                // computed.
                let place =
                    slot == 0 && count > 3 && seed.isMultiple(of: 2)
                    ? GatheringScene.cafe.moved(5000 + Self.way(after: second), bearing: 90) : spots[at[slot]]
                let observation = GatheringObservation(
                    device: DeviceID(Int64(slot)),
                    sequence: Int64(second),
                    at: now - Int64.random(in: 0..<5000, using: &random),
                    coordinate: place.moved(
                        abs(random.normal(5)),
                        bearing: .random(in: 0..<360, using: &random)
                    ),
                    accuracy: Double(Int.random(in: 3...30, using: &random)),
                    isStationary: Int.random(in: 0..<3, using: &random) == 0
                )
                for _ in 0...Int.random(in: 0..<20, using: &random) / 19 {
                    short.observe(UserID(Int64(slot + 1)), observation, receivedAt: now, expectedAt: slot)
                    long.observe(UserID(Int64(slot + 1)), observation, receivedAt: now)
                }
            }
            // Now and then the group's radius changes, which clears all safe zones.
            if Int.random(in: 0..<120, using: &random) == 0 {
                let other = GroupSettings(
                    radius: [60, 100, 250, 2000].randomElement(using: &random) ?? 100,
                    dwell: settings.dwell,
                    maxAbsent: 2,
                    cooldown: 300
                )
                let change = GatheringChange.settingsChanged(other)
                let said = short.apply(change, at: now, identifiers: &identifiers.0)
                #expect(
                    said == long.apply(change, at: now, identifiers: &identifiers.1),
                    "seed \(seed), second \(second)"
                )
            }
            let events = short.evaluate(at: now, identifiers: &identifiers.0)
            eventCount += events.count
            #expect(events == long.evaluate(at: now, identifiers: &identifiers.1), "seed \(seed), second \(second)")
            #expect(short.stored == long.stored, "seed \(seed), second \(second)")
        }
        #expect(eventCount > 0)
    }

    /// The distance in metres after `seconds`, in periods of 5 min each by car, on foot and at rest.
    private static func way(after seconds: Double) -> Double {
        let rounds = (seconds / 900).rounded(.down)
        let rest = seconds - 900 * rounds
        return 4020 * rounds + 12 * min(rest, 300) + 1.4 * min(max(rest - 300, 0), 300)
    }
}
