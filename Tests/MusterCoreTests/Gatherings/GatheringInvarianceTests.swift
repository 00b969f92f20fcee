import Testing

@testable import MusterCore

/// Ticks, order of arrival, repeats and restarts must not change a decision.
@Suite("Invariance of gatherings")
struct GatheringInvarianceTests {
    /// A random day: members sit, walk between three places, and fall silent.
    static func day(seed: UInt64) -> GatheringScene {
        var random = SeededGenerator(seed: seed)
        let places = [
            GatheringScene.cafe, GatheringScene.cafe.moved(900, bearing: 30),
            GatheringScene.cafe.moved(2500, bearing: 200),
        ]
        var scene = GatheringScene(1...5, settings: GroupSettings(dwell: 60, maxAbsent: 2, cooldown: 300))
        for user: Int64 in 1...5 {
            var second = Double.random(in: 0..<60, using: &random)
            var place = Int.random(in: 0..<3, using: &random)
            while second < 5000 {
                let stay = Double.random(in: 100..<900, using: &random)
                let spot = places[place].moved(Double.random(in: 0..<40, using: &random), bearing: Double(user) * 70)
                if Int.random(in: 0..<5, using: &random) > 0 {
                    scene.stay(user, spot, from: second, to: second + stay, every: 12)
                }
                second += stay
                // Mostly to the common place.
                let next = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0..<3, using: &random) : 0
                guard next != place else { continue }
                second = scene.travel(user, from: spot, to: places[next], start: second, speed: 6)
                place = next
            }
        }
        return scene
    }

    static let seeds: [UInt64] = Array(1...12)

    @Test("a tick of 250 ms and one of 1000 ms decide the same at the same instants", arguments: seeds)
    func tick(seed: UInt64) {
        let scene = Self.day(seed: seed)
        let reference = scene.play(until: 6000, tick: 250)
        #expect(!reference.began.isEmpty, "seed \(seed) makes no gathering")
        #expect(scene.play(until: 6000, tick: 1000) == reference, "seed \(seed)")
    }

    @Test("shuffling arrivals within 3 s and repeating them changes nothing", arguments: seeds)
    func shuffle(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 1000)
        let scene = Self.day(seed: seed)
        var shuffled = scene
        shuffled.deliveries = []
        for var delivery in scene.deliveries {
            delivery.receivedAt =
                (delivery.fix.at ?? delivery.receivedAt) + Int64.random(in: 0...2900, using: &random)
            shuffled.deliveries.append(delivery)
            if Int.random(in: 0..<4, using: &random) == 0 {
                delivery.receivedAt = delivery.receivedAt + Int64.random(in: 0...60_000, using: &random)
                shuffled.deliveries.append(delivery)
            }
        }
        let reference = scene.play(until: 6000)
        #expect(shuffled.play(until: 6000).alerts == reference.alerts, "seed \(seed)")
    }

    @Test("a restart in the middle of a dwell continues it")
    func restartInDwell() {
        let scene = GatheringStoryTests.threeMeet
        let reference = scene.play(until: 3600)
        for second in [70.0, 100, 150, 180, 200] {
            let restarted = scene.play(until: 3600, restarts: [second])
            #expect(restarted.alerts.map(\.at) == reference.alerts.map(\.at), "restart at \(second) s")
        }
    }

    @Test("restarts after an alert give no second one, and the gathering is the same")
    func restartAfterAlert() {
        let scene = GatheringStoryTests.threeMeet
        let reference = scene.play(until: 3600)
        let restarted = scene.play(until: 3600, restarts: Array(stride(from: 250, to: 3600, by: 100)))
        #expect(restarted == reference)
    }

    @Test("a random day with restarts has the same alerts", arguments: seeds)
    func restarts(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 2000)
        let scene = Self.day(seed: seed)
        let reference = scene.play(until: 6000)
        let moments = (0..<3).map { _ in Double.random(in: 0..<6000, using: &random) }
        let restarted = scene.play(until: 6000, restarts: moments)
        #expect(restarted.alerted == reference.alerted, "seed \(seed), restarts at \(moments)")
    }

    /// A day with departures: members meet at random places, and most of them drive on.
    static func outing(seed: UInt64) -> GatheringScene {
        var random = SeededGenerator(seed: seed &+ 500)
        var scene = GatheringScene(1...5, settings: GroupSettings(dwell: 60, maxAbsent: 2, cooldown: 300))
        var place = GatheringScene.cafe
        var second = 0.0
        while second < 5000 {
            let stay = Double.random(in: 200..<600, using: &random)
            let next = place.moved(
                .random(in: 800..<3000, using: &random),
                bearing: .random(in: 0..<360, using: &random)
            )
            let left = Int64.random(in: 0...5, using: &random)
            var end = second
            for user: Int64 in 1...5 {
                let spot = place.moved(Double.random(in: 0..<25, using: &random), bearing: Double(user) * 70)
                scene.stay(user, spot, from: second, to: second + stay, every: 12)
                // The member who is left behind follows later.
                let wait =
                    user == left
                    ? Double.random(in: 250..<500, using: &random) : Double.random(in: 0..<20, using: &random)
                if user == left { scene.stay(user, spot, from: second + stay, to: second + stay + wait, every: 12) }
                let arrival = scene.travel(user, from: spot, to: next, start: second + stay + wait, speed: 12)
                end = max(end, arrival)
                scene.stay(user, next, from: arrival, to: arrival + 1, every: 12)
            }
            place = next
            second = end + 1
        }
        return scene
    }

    @Test("an outing: shuffles, repeats, ticks, restarts and a second device make the same alerts", arguments: seeds)
    func outing(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 3000)
        let scene = Self.outing(seed: seed)
        let reference = scene.play(until: 6000, tick: 250)
        #expect(scene.play(until: 6000, tick: 1000).events == reference.events, "tick, seed \(seed)")

        var shuffled = scene
        var split = scene
        shuffled.deliveries = []
        for (index, var delivery) in scene.deliveries.enumerated() {
            delivery.receivedAt = (delivery.fix.at ?? delivery.receivedAt) + Int64.random(in: 0...2900, using: &random)
            shuffled.deliveries.append(delivery)
            if Int.random(in: 0..<4, using: &random) == 0 {
                delivery.receivedAt = delivery.receivedAt + Int64.random(in: 0...60_000, using: &random)
                shuffled.deliveries.append(delivery)
            }
            if Bool.random(using: &random) {
                split.deliveries[index].device = DeviceID(delivery.device.rawValue + 1)
            }
        }
        #expect(shuffled.play(until: 6000).alerts == reference.alerts, "shuffle, seed \(seed)")
        #expect(split.play(until: 6000).notified == reference.notified, "split, seed \(seed)")
        let moments = (0..<3).map { _ in Double.random(in: 0..<6000, using: &random) }
        #expect(
            scene.play(until: 6000, restarts: moments).notified == reference.notified,
            "seed \(seed), restarts at \(moments)"
        )
    }

    @Test("outings do leave people behind")
    func outingsAreWorthIt() {
        let notified = Self.seeds.flatMap { Self.outing(seed: $0).play(until: 6000).notified }
        #expect(notified.count { $0.hasSuffix("departed") } > 10)
    }

    @Test("the same fixes split over two devices make the same alerts", arguments: seeds)
    func twoDevices(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 4000)
        let scene = Self.day(seed: seed)
        var split = scene
        for index in scene.deliveries.indices where Bool.random(using: &random) {
            split.deliveries[index].device = DeviceID(scene.deliveries[index].device.rawValue + 1)
        }
        #expect(split.play(until: 6000).notified == scene.play(until: 6000).notified, "seed \(seed)")
    }
}
