import Testing

@testable import MusterCore

/// Departures: days of groups with the notifications that a user would expect.
@Suite("Stories of departures")
struct DepartureStoryTests {
    static let cafe = GatheringScene.cafe

    /// Four meet at the café.
    ///
    /// After 10 min three of them drive off in one car for 10 min, and the fourth stays.
    static func ride(speed: Double, interval: Double) -> GatheringScene {
        var scene = GatheringScene(1...4)
        let target = Self.cafe.moved(speed * 600, bearing: 60)
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe.moved(10, bearing: 120 * Double(user)), from: 0, to: 600, every: interval)
            // They share a car, but their phones report at different moments, so they appear far apart.
            let phase = Double(user) * interval / 3
            scene.travel(user, from: Self.cafe, to: target, start: 605, speed: speed, every: interval, phase: phase)
            scene.stay(user, target, from: 1210, to: 2400, every: interval)
        }
        scene.stay(4, Self.cafe, from: 0, to: 2400, every: interval)
        return scene
    }

    @Test(
        "three ride off in a car: the fourth is told once, and the riders stay together",
        arguments: [25.0, 33],
        [10.0, 30]
    )
    func ride(speed: Double, interval: Double) throws {
        let outcome = Self.ride(speed: speed, interval: interval).play(until: 2400)
        #expect(outcome.notified == ["4 departed"])
        let alert = try #require(outcome.alerts.first)
        #expect(alert.together.map(\.rawValue) == [1, 2, 3])
        #expect(600...840 ~= (alert.at - GatheringScene.start) / 1000)
        let own = Coordinate(latitude: alert.you.lat, longitude: alert.you.lon)
        #expect(own.distance(to: Self.cafe) < 20)
        #expect(alert.distance > 1000)
        #expect(outcome.began.count == 1 && outcome.ended.isEmpty)
        #expect(outcome.moved.count == 1)
        let target = Self.cafe.moved(speed * 600, bearing: 60)
        let place = try #require(outcome.moved.first?.place)
        #expect(Coordinate(latitude: place.lat, longitude: place.lon).distance(to: target) < 100)
    }

    @Test(
        "phones that report every five minutes: those who ride off stay together, and who is left is told that they went",
        arguments: [9.0, 14, 25],
        [75.0, 13]
    )
    func sparse(speed: Double, apart: Double) {
        for begin in stride(from: 2000.0, to: 2300, by: 40) { self.sparse(speed: speed, apart: apart, begin: begin) }
    }

    private func sparse(speed: Double, apart: Double, begin: Double) {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...4 {
            for second in stride(from: apart * Double(user), through: 6000, by: 300) {
                let way = user == 4 ? 0 : min(max(0, second - begin) * speed, 5000)
                scene.report(user, at: second, Self.cafe.moved(way, bearing: 60))
            }
        }
        let outcome = scene.play(until: 6000)
        #expect(outcome.notified == ["4 departed"], "\(begin) s")
        #expect(outcome.began.count == 1 && outcome.ended.isEmpty, "\(begin) s")
    }

    @Test("two of four walk off: nobody was left by the others, and nobody is told", arguments: [1, 2])
    func twoOfFour(maxAbsent: Int) {
        var scene = GatheringScene(1...4, settings: GroupSettings(maxAbsent: maxAbsent))
        for user: Int64 in 1...4 { scene.stay(user, Self.cafe, from: 0, to: 900) }
        let far = Self.cafe.moved(1500, bearing: 10)
        for user: Int64 in 1...2 {
            let arrival = scene.travel(user, from: Self.cafe, to: far, start: 900, speed: 1.4)
            scene.stay(user, far, from: arrival, to: 3600)
        }
        for user: Int64 in 3...4 { scene.stay(user, Self.cafe, from: 900, to: 3600) }
        let outcome = scene.play(until: 3600)
        // If two may be absent, the two who stayed are notified. A member who walks off never is.
        #expect(outcome.notified == (maxAbsent == 1 ? [] : ["3 departed", "4 departed"]))
        #expect(outcome.ended.count == 1)
    }

    @Test("two of five walk off side by side: by choice, whatever may be missing", arguments: [1, 2])
    func twoOfFive(maxAbsent: Int) {
        var scene = GatheringScene(1...5, settings: GroupSettings(maxAbsent: maxAbsent))
        for user: Int64 in 1...5 { scene.stay(user, Self.cafe, from: 0, to: user <= 2 ? 900 : 3600) }
        let far = Self.cafe.moved(1500, bearing: 10)
        for user: Int64 in 1...2 {
            let arrival = scene.travel(user, from: Self.cafe, to: far, start: 900, speed: 1.4)
            scene.stay(user, far, from: arrival, to: 3600)
        }
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerts.isEmpty)
        #expect(outcome.ended.isEmpty)
    }

    @Test("one leaves by choice and is not told", arguments: [1.4, 6, 20])
    func byChoice(speed: Double) {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...4 { scene.stay(user, Self.cafe, from: 0, to: user == 4 ? 900 : 3600) }
        let home = Self.cafe.moved(4000, bearing: 200)
        let arrival = scene.travel(4, from: Self.cafe, to: home, start: 900, speed: speed)
        scene.stay(4, home, from: arrival, to: 3600)
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerts.isEmpty && outcome.ended.isEmpty)
    }

    @Test("one leaves by choice, and then the others move on: still nobody was left")
    func bothLeave() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...4 { scene.stay(user, Self.cafe, from: 0, to: 900) }
        let home = Self.cafe.moved(2000, bearing: 200)
        let next = Self.cafe.moved(1500, bearing: 20)
        let arrival = scene.travel(4, from: Self.cafe, to: home, start: 900, speed: 1.4)
        scene.stay(4, home, from: arrival, to: 3600)
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 900, to: 960)
            let arrival = scene.travel(user, from: Self.cafe, to: next, start: 970, speed: 6)
            scene.stay(user, next, from: arrival, to: 3600)
        }
        #expect(scene.play(until: 3600).alerts.isEmpty)
    }

    @Test("two of three drive off: the third is told although the gathering is over then")
    func twoOfThree() {
        var scene = GatheringScene(1...5)
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 0, to: user == 3 ? 2000 : 600) }
        for user: Int64 in 4...5 {
            scene.stay(user, Self.cafe.moved(5000, bearing: 90 * Double(user)), from: 0, to: 2000)
        }
        for user: Int64 in 1...2 {
            scene.travel(user, from: Self.cafe, to: Self.cafe.moved(9000, bearing: 60), start: 602, speed: 14)
        }
        let outcome = scene.play(until: 1200)
        #expect(outcome.notified == ["3 departed"])
        #expect(outcome.ended.count == 1)
    }

    @Test("in a small radius the end waits for those who walk away slowly")
    func endWaits() {
        var scene = GatheringScene(1...5, settings: GroupSettings(radius: 20))
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 0, to: user == 3 ? 2000 : 600) }
        for user: Int64 in 4...5 {
            scene.stay(user, Self.cafe.moved(5000, bearing: 90 * Double(user)), from: 0, to: 2000)
        }
        for user: Int64 in 1...2 {
            scene.travel(user, from: Self.cafe, to: Self.cafe.moved(1500, bearing: 60), start: 602, speed: 1.4)
        }
        #expect(scene.play(until: 1600).notified == ["3 departed"])
    }

    @Test(
        "6 of 10 drive off: they are the gathering, and four who stay are nobody left behind",
        arguments: [(1, 0), (4, 4)]
    )
    func sixOfTen(maxAbsent: Int, alerts: Int) {
        var scene = GatheringScene(1...10, settings: GroupSettings(maxAbsent: maxAbsent))
        let far = Self.cafe.moved(6000, bearing: 60)
        for user: Int64 in 1...10 {
            scene.stay(user, Self.cafe.moved(15, bearing: 36 * Double(user)), from: 0, to: user > 6 ? 2400 : 600)
            guard user <= 6 else { continue }
            scene.travel(user, from: Self.cafe, to: far, start: 600, speed: 14)
            scene.stay(user, far, from: 1040, to: 2400)
        }
        let outcome = scene.play(until: 2400)
        #expect(outcome.alerts.count == alerts)
        #expect(outcome.alerts.allSatisfy { $0.variant == .departed && $0.user.rawValue > 6 })
        #expect(outcome.ended.isEmpty)
        #expect(outcome.moved.count == 1)
        #expect(outcome.changed.last?.together.count == 6)
    }

    @Test("told, came, left behind within the half hour: each is news")
    func toldCameLeft() {
        var scene = GatheringScene(1...4)
        let home = Self.cafe.moved(2000, bearing: 200)
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 0, to: 900) }
        scene.stay(4, home, from: 0, to: 300)
        let arrival = scene.travel(4, from: home, to: Self.cafe, start: 300, speed: 10)
        scene.stay(4, Self.cafe, from: arrival, to: 1800)
        for user: Int64 in 1...3 {
            scene.travel(user, from: Self.cafe, to: Self.cafe.moved(9000, bearing: 60), start: 900, speed: 14)
        }
        #expect(scene.play(until: 1500).notified == ["4 gathered", "4 departed"])
    }

    @Test(
        "who is left, fetched and left again is told again only after dwell together",
        arguments: [(60.0, 1), (400, 2)]
    )
    func leftTwice(together: Double, alerts: Int) {
        var scene = GatheringScene(1...4, settings: GroupSettings(cooldown: 0))
        let far = Self.cafe.moved(1500, bearing: 60)
        scene.stay(4, Self.cafe, from: 0, to: 3600)
        var back = 0.0
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 0, to: 600)
            let arrival = scene.travel(user, from: Self.cafe, to: far, start: 600, speed: 14)
            scene.stay(user, far, from: arrival, to: arrival + 300)
            back = scene.travel(user, from: far, to: Self.cafe, start: arrival + 300, speed: 14)
            scene.stay(user, Self.cafe, from: back, to: back + together)
            scene.travel(
                user,
                from: Self.cafe,
                to: Self.cafe.moved(6000, bearing: 60),
                start: back + together,
                speed: 14
            )
        }
        let outcome = scene.play(until: back + together + 400)
        #expect(outcome.notified == Array(repeating: "4 departed", count: alerts))
        #expect(outcome.ended.isEmpty)
    }

    @Test("a phone that dies as all get into the car is not told that it was left")
    func phoneDiesAtDeparture() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...4 { scene.stay(user, Self.cafe, from: 0, to: 900) }
        for user: Int64 in 1...3 {
            scene.travel(user, from: Self.cafe, to: Self.cafe.moved(9000, bearing: 60), start: 903, speed: 14)
        }
        let outcome = scene.play(until: 1500)
        #expect(outcome.alerts.isEmpty)
        #expect(outcome.ended.isEmpty)
    }

    @Test("a phone that reports only every 10 min is told nevertheless")
    func seldom() {
        var scene = Self.ride(speed: 25, interval: 10)
        scene.deliveries.removeAll { $0.user == UserID(4) }
        for second in stride(from: 1.0, to: 2400, by: 580) { scene.report(4, at: second, Self.cafe, trigger: .ping) }
        #expect(scene.play(until: 2400).notified == ["4 departed"])
    }

    @Test("one stray fix of the one left behind changes nothing", arguments: [620.5, 660.5, 680.5])
    func strayOfLeft(second: Double) {
        var scene = Self.ride(speed: 25, interval: 10)
        scene.report(4, at: second, Self.cafe.moved(400, bearing: 200), accuracy: 1.9)
        #expect(scene.play(until: 2400).notified == ["4 departed"])
    }

    @Test("everybody moves on together: the gathering moves, is named where it can be, and nobody is told")
    func moved() throws {
        var scene = GatheringScene(1...4)
        let bar = Self.cafe.moved(800, bearing: 60)
        scene.spots = SpotIndex([
            NamedPlace(spot: SpotID(1), coordinate: bar.moved(60, bearing: 0), name: "Further Bar"),
            NamedPlace(spot: SpotID(2), coordinate: bar.moved(30, bearing: 90), name: "Blue Bar"),
            NamedPlace(spot: SpotID(3), coordinate: Self.cafe.moved(130, bearing: 90), name: "Too Far"),
        ])
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 0, to: 900)
            let arrival = scene.travel(user, from: Self.cafe, to: bar, start: 900, speed: 1.4)
            scene.stay(user, bar, from: arrival, to: 3600)
        }
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerts.isEmpty && outcome.ended.isEmpty)
        #expect(outcome.began.map(\.place.name) == [nil])
        #expect(outcome.moved.map(\.place.name) == ["Blue Bar"])
        let moved = try #require(outcome.moved.first)
        #expect(moved.since == outcome.began.first?.since)
        #expect(moved.together.map(\.rawValue) == [1, 2, 3])
    }

    @Test("passing through and coming back is no move")
    func passing() {
        var scene = GatheringScene(1...3)
        let far = Self.cafe.moved(1500, bearing: 60)
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 0, to: 600)
            let turn = scene.travel(user, from: Self.cafe, to: far, start: 600, speed: 6)
            let back = scene.travel(user, from: far, to: Self.cafe, start: turn, speed: 6)
            scene.stay(user, Self.cafe, from: back, to: 2400)
        }
        let outcome = scene.play(until: 2400)
        #expect(outcome.began.count == 1 && outcome.changed.isEmpty && outcome.ended.isEmpty)
    }

    @Test("in two cars to the same place: each side went by itself, nobody is told")
    func twoCars() {
        var scene = GatheringScene(1...5)
        let far = Self.cafe.moved(8000, bearing: 60)
        for user: Int64 in 1...5 {
            let start = user <= 3 ? 600.0 : 660
            scene.stay(user, Self.cafe, from: 0, to: start)
            let arrival = scene.travel(user, from: Self.cafe, to: far, start: start, speed: user <= 3 ? 16 : 13)
            scene.stay(user, far, from: arrival, to: 3000)
        }
        let outcome = scene.play(until: 3000)
        #expect(outcome.alerts.isEmpty && outcome.ended.isEmpty)
        #expect(outcome.changed.last?.together.count == 5)
    }

    @Test(
        "a restart at any moment of a departure tells the one left behind once",
        arguments: Array(stride(from: 590, to: 1000, by: 7))
    )
    func restart(second: Int) {
        let scene = Self.ride(speed: 25, interval: 10)
        let outcome = scene.play(until: 2400, restarts: [Double(second)])
        #expect(outcome.notified == ["4 departed"], "restart at \(second) s")
        #expect(outcome.began.count == 1 && outcome.ended.isEmpty)
    }
}

extension GatheringScene.Outcome {
    /// The first change for each place to which the gathering moved.
    fileprivate var moved: [GatheringStatus] {
        var places: [GatheringPlace] = []
        return self.changed.filter { status in
            guard status.state == .moved, !places.contains(status.place) else { return false }
            places.append(status.place)
            return true
        }
    }
}
