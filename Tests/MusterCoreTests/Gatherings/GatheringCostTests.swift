import Testing

@testable import MusterCore

/// The cost of decisions, counted in operations instead of time.
@Suite("Cost of gatherings")
struct GatheringCostTests {
    /// A group of 250, twenty of them together and the others spread over a city, and its identifiers.
    static func city() -> (machine: GatheringMachine, second: Int64) {
        var random = SeededGenerator(seed: 5)
        let members = (1...250).map { GatheringMachine.Member(user: UserID($0), isSharingLive: true) }
        var machine = GatheringMachine(settings: GroupSettings(dwell: 0), members: members, at: GatheringScene.start)
        var identifiers = IdentifierGenerator(node: 0)
        let homes = (1...250).map { user in
            let distance = user <= 20 ? 20 : Double.random(in: 500..<10_000, using: &random)
            return GatheringScene.cafe.moved(distance, bearing: .random(in: 0..<360, using: &random))
        }
        for second in stride(from: Int64(0), to: 60, by: 10) {
            for user: Int64 in 1...250 { Self.report(user, homes[Int(user) - 1], at: second, to: &machine) }
            _ = machine.evaluate(at: GatheringScene.start + (second + 5) * 1000, identifiers: &identifiers)
        }
        return (machine, 60)
    }

    static func report(_ user: Int64, _ place: Coordinate, at second: Int64, to machine: inout GatheringMachine) {
        let now = GatheringScene.start + second * 1000
        let observation = GatheringObservation(
            device: DeviceID(user),
            sequence: second + 1,
            at: now,
            coordinate: place,
            accuracy: 8,
            isStationary: false
        )
        machine.observe(UserID(user), observation, receivedAt: now)
    }

    @Test("one of 250 who drives through the city costs the neighbours that they pass, not the group")
    func mover() {
        var (machine, start) = Self.city()
        var identifiers = IdentifierGenerator(node: 0)
        let before = machine.distancesComputed
        for step in 0..<300 {
            let second = start + Int64(step)
            let place = GatheringScene.cafe.moved(Double(step) * 30 - 4000, bearing: 90)
            Self.report(77, place, at: second, to: &machine)
            _ = machine.evaluate(at: GatheringScene.start + (second + 4) * 1000, identifiers: &identifiers)
        }
        // 300 fixes times 250 others would be 75,000. About 14 fixes lie near the twenty at the café.
        #expect(machine.distancesComputed - before < 1500)
    }

    @Test("who sits with nineteen others costs nineteen distances a fix, and nothing is stored for it")
    func sitter() {
        var (machine, start) = Self.city()
        var identifiers = IdentifierGenerator(node: 0)
        _ = machine.evaluate(at: GatheringScene.start + (start + 30) * 1000, identifiers: &identifiers)
        let before = machine.distancesComputed
        let bearing = 33.0
        for step in 0..<100 {
            let second = start + 30 + Int64(step)
            Self.report(3, GatheringScene.cafe.moved(20, bearing: bearing + Double(step)), at: second, to: &machine)
            let events = machine.evaluate(
                at: GatheringScene.start + (second + 4) * 1000,
                identifiers: &identifiers
            )
            #expect(events.isEmpty)
        }
        #expect(machine.distancesComputed - before <= 2000)
    }
}
