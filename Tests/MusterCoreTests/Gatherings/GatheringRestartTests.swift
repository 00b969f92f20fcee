import Testing

@testable import MusterCore

/// The state of the fix gates must survive a restart of the server.
@Suite("Restarts between fixes")
struct GatheringRestartTests {
    @Test(
        "a restart at any moment of a departure changes nothing for phones whose clocks are wrong",
        arguments: [-119.0, -90, 50, 90],
        Array(stride(from: 590, to: 1000, by: 23))
    )
    func wrongClocks(ahead: Double, second: Int) {
        var scene = DepartureStoryTests.ride(speed: 25, interval: 10)
        // One member in the car, and the one who is left behind.
        for index in scene.deliveries.indices where [UserID(2), UserID(4)].contains(scene.deliveries[index].user) {
            scene.deliveries[index].fix.at = scene.deliveries[index].fix.at.map { $0 + Int64(ahead * 1000) }
        }
        let reference = scene.play(until: 2400)
        #expect(reference.notified == ["4 departed"])
        #expect(scene.play(until: 2400, restarts: [Double(second)]) == reference, "restart at \(second) s")
    }

    @Test("a restart in a dwell changes nothing for a phone whose clock is wrong", arguments: [-90.0, 90])
    func wrongClockInDwell(ahead: Double) {
        var scene = GatheringStoryTests.threeMeet
        for index in scene.deliveries.indices where scene.deliveries[index].user == UserID(3) {
            scene.deliveries[index].fix.at = scene.deliveries[index].fix.at.map { $0 + Int64(ahead * 1000) }
        }
        let reference = scene.play(until: 3600)
        #expect(reference.alerted == [4])
        for second in stride(from: 60.0, to: 260, by: 20) {
            #expect(scene.play(until: 3600, restarts: [second]) == reference, "restart at \(second) s")
        }
    }

    @Test("one who rested before a restart, and said so once more after it, is still known to be at home")
    func resting() {
        var scene = GatheringScene(1...4)
        scene.stay(4, GatheringStoryTests.home, from: 0, to: 1000, every: 60)
        for user: Int64 in 1...3 { scene.stay(user, GatheringScene.cafe, from: 1500, to: 3600) }
        #expect(scene.play(until: 3600).notified == ["4 gathered"])
        #expect(scene.play(until: 3600, restarts: [930]).notified == ["4 gathered"])
    }

    @Test("after a restart the browser at home does not lead, not even when the phone's last fix was a cell tower's")
    func browserAtHome() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...2 { scene.stay(user, GatheringScene.cafe, from: 0, to: 3600, every: 60) }
        scene.stay(4, GatheringStoryTests.home, from: 0, to: 3600)
        let tower = GatheringScene.cafe.moved(300, bearing: 10)
        for second in stride(from: 1.0, to: 3600, by: 60) {
            scene.report(3, at: second, GatheringScene.cafe)
            if second == 1_201 { scene.report(3, at: second + 3, tower, accuracy: 400) }
            if second == 1_801 { scene.report(3, at: second + 3, tower, accuracy: 17_000) }
        }
        for second in stride(from: 5.0, to: 3600, by: 20) {
            scene.report(3, at: second, GatheringStoryTests.home, accuracy: 40, device: 1, kind: .browser)
        }
        let reference = scene.play(until: 3600)
        #expect(reference.notified == ["4 gathered"])
        for restart in [1_100.0, 1_205, 1_805] {
            #expect(scene.play(until: 3600, restarts: [restart]) == reference, "restart at \(restart) s")
        }
    }

    @Test("a laptop that was carried to the cafe leads before the phone at home after a restart, too")
    func laptopAtTheCafe() {
        let home = GatheringScene.cafe.moved(900, bearing: 40)
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 { scene.stay(user, GatheringScene.cafe, from: 0, to: 3000) }
        scene.travel(4, from: home.moved(300, bearing: 80), to: home, start: 0, speed: 1.4)
        scene.stay(4, home, from: 260, to: 3000, every: 45)
        for second in stride(from: 300.0, to: 3000, by: 10) {
            let place = home.moved(min(max(0, second - 400) * 1.4, 900), bearing: 220)
            scene.report(4, at: second, place, device: 1, kind: .browser)
        }
        let reference = scene.play(until: 3000)
        #expect(reference.notified == ["4 gathered"])
        #expect(reference.changed.last?.together.map(\.rawValue) == [1, 2, 3, 4], "she came, with her laptop")
        for restart in stride(from: 500.0, to: 2600, by: 137) {
            #expect(scene.play(until: 3000, restarts: [restart]) == reference, "restart at \(restart) s")
        }
    }

    @Test("who takes up another device and has walked half of what makes it lead at a restart is found there")
    func halfWay() {
        let home = GatheringScene.cafe.moved(200, bearing: 40)
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 { scene.stay(user, GatheringScene.cafe, from: 0, to: 1800) }
        scene.stay(4, home, from: 0, to: 1800, every: 45)
        for second in stride(from: 5.0, to: 1800, by: 10) {
            let place = home.moved(min(max(0, second - 600) * 1.4, 190), bearing: 220)
            scene.report(4, at: second, place, device: 1)
        }
        let reference = scene.play(until: 1800)
        #expect(reference.changed.last?.together.map(\.rawValue) == [1, 2, 3, 4])
        for restart in stride(from: 610.0, to: 700, by: 10) {
            let restarted = scene.play(until: 1800, restarts: [restart])
            #expect(restarted == reference, "restart at \(restart) s")
        }
    }

    @Test(
        "a fix that is held at a restart is confirmed by the next, and rejected by one from the old place",
        arguments: [GatheringScene.cafe.moved(40_000, bearing: 90), GatheringScene.cafe.moved(2_000, bearing: 90)],
        [false, true]
    )
    func pendingFix(place: Coordinate, isTrue: Bool) {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 { scene.stay(user, GatheringScene.cafe, from: 0, to: 1800) }
        let home = GatheringStoryTests.home
        scene.stay(4, home, from: 0, to: 600)
        // The last shown position comes from a cell tower, and a device that is not the leading one reports.
        scene.report(4, at: 602, home, accuracy: 900)
        scene.report(4, at: 603, home.moved(3000, bearing: 0), device: 1, kind: .browser)
        scene.report(4, at: 610, place)
        scene.report(4, at: 640, isTrue ? place.moved(30, bearing: 10) : home)
        scene.report(4, at: 650, isTrue ? place.moved(40, bearing: 10) : home)
        scene.stay(4, isTrue ? place : home, from: 660, to: 1800)
        let reference = scene.play(until: 1800)
        #expect(reference.verdicts[.implausible] == 1)
        #expect(reference.history.values.count { $0 == .implausible } == (isTrue ? 0 : 1))
        for restart in stride(from: 604.0, to: 660, by: 4) {
            #expect(scene.play(until: 1800, restarts: [restart]) == reference, "restart at \(restart) s")
        }
    }

    @Test("after a restart one stray fix moves nobody, though a cell tower's word was the last that was shown")
    func strayAfterTheTower() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...4 { scene.stay(user, GatheringScene.cafe, from: 0, to: 1800) }
        scene.report(4, at: 602, GatheringScene.cafe.moved(300, bearing: 0), accuracy: 900)
        scene.report(4, at: 604, GatheringScene.cafe.moved(40_000, bearing: 0), accuracy: 1.9)
        scene.number()
        let reference = scene.play(until: 1800)
        #expect(reference.verdicts[.implausible] == 1)
        #expect(scene.play(until: 1800, restarts: [603]) == reference)
    }

    @Test("a teleport of a device that does not lead is held and confirmed over a restart as well")
    func heldBehindTheLeader() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 { scene.stay(user, GatheringScene.cafe, from: 0, to: 1200) }
        scene.travel(4, from: GatheringStoryTests.home, to: GatheringScene.cafe, start: 0, speed: 6)
        scene.stay(4, GatheringScene.cafe, from: 400, to: 1200)
        let other = GatheringStoryTests.home.moved(30_000, bearing: 10)
        for second in stride(from: 2.0, to: 1200, by: 20) {
            let place = second < 700 ? GatheringStoryTests.home : other
            scene.report(4, at: second, place, device: 1, kind: .browser)
        }
        let reference = scene.play(until: 1200)
        let rewritten = reference.history.count { $0.key.device == DeviceID(41) && $0.value == .secondary }
        #expect(rewritten > 20 && reference.history.values.allSatisfy { $0 != .implausible })
        for restart in stride(from: 690.0, to: 760, by: 5) {
            #expect(scene.play(until: 1200, restarts: [restart]) == reference, "restart at \(restart) s")
        }
    }

    @Test(
        "an outing with strays, cell towers and a browser at home: restarts change no verdict and no alert",
        arguments: GatheringInvarianceTests.seeds
    )
    func messyOuting(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 6000)
        var scene = GatheringInvarianceTests.outing(seed: seed)
        for delivery in scene.deliveries where Int.random(in: 0..<40, using: &random) == 0 {
            let second = Double((delivery.fix.at ?? GatheringScene.start) - GatheringScene.start) / 1000
            let isTower = Bool.random(using: &random)
            let distance = isTower ? 400 : Double.random(in: 9_000...90_000, using: &random)
            scene.report(
                delivery.user.rawValue,
                at: second + Double.random(in: 1..<6, using: &random),
                delivery.fix.coordinate.moved(distance, bearing: .random(in: 0..<360, using: &random)),
                accuracy: isTower ? 1_500 : 8
            )
        }
        for user: Int64 in 1...5 {
            let home = GatheringScene.cafe.moved(20_000, bearing: Double(user) * 70)
            for second in stride(from: Double(user), to: 6000, by: 50) {
                scene.report(user, at: second, home, accuracy: 30, device: 1, kind: .browser)
            }
        }
        // Numbered again, as phones number their fixes.
        scene.number()
        let reference = scene.play(until: 6000)
        #expect(reference.verdicts[.implausible] ?? 0 > 10)
        for _ in 0..<2 {
            let moments = (0..<60).map { _ in Double.random(in: 0..<6000, using: &random) }
            let restarted = scene.play(until: 6000, restarts: moments)
            #expect(restarted.notified == reference.notified, "seed \(seed), restarts at \(moments)")
            let changed = reference.history.filter { restarted.history[$0.key] != $0.value }
            #expect(changed.isEmpty, "seed \(seed), restarts at \(moments)")
        }
    }
}
