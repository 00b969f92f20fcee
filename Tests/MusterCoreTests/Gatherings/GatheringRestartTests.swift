import Testing

@testable import MusterCore

/// What the gates know of devices, and must not be lost when the server starts anew.
@Suite("Restarts between fixes")
struct GatheringRestartTests {
    @Test(
        "a restart at any moment of a departure changes nothing for phones whose clocks are wrong",
        arguments: [-119.0, -90, 50, 90],
        Array(stride(from: 590, to: 1000, by: 23))
    )
    func wrongClocks(ahead: Double, second: Int) {
        var scene = DepartureStoryTests.ride(speed: 25, interval: 10)
        // One who rides along, and the one who is left.
        for index in scene.deliveries.indices where [UserID(2), UserID(4)].contains(scene.deliveries[index].user) {
            scene.deliveries[index].fix.at = scene.deliveries[index].fix.at.map { $0 + Int64(ahead * 1000) }
        }
        let reference = scene.play(until: 2400)
        #expect(reference.told == ["4 departed"])
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
        #expect(scene.play(until: 3600).told == ["4 gathered"])
        #expect(scene.play(until: 3600, restarts: [930]).told == ["4 gathered"])
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
        #expect(reference.told == ["4 gathered"])
        for restart in [1_100.0, 1_205, 1_805] {
            #expect(scene.play(until: 3600, restarts: [restart]) == reference, "restart at \(restart) s")
        }
    }
}
