import Testing

@testable import MusterCore

/// Members who pass each other only briefly: a departure notification requires that the members stayed together.
@Suite("Stories of passing by")
struct StayStoryTests {
    static let cafe = GatheringScene.cafe

    /// Three drive in one car from `begin` on: to a place, where they stop for this many seconds, and on to another.
    static func ride(
        _ scene: inout GatheringScene,
        via stop: Coordinate,
        for pause: Double,
        to end: Coordinate,
        with passenger: Int64?,
        every interval: Double
    ) {
        let origin = stop.moved(6000, bearing: 200)
        for user: Int64 in 1...4 {
            let phase = Double(user) * interval / 4
            scene.stay(user, origin, from: 0, to: 600, every: interval)
            let arrival = scene.travel(
                user,
                from: origin,
                to: stop,
                start: 600,
                speed: 12,
                every: interval,
                phase: phase
            )
            guard user != passenger else {
                scene.stay(user, stop, from: arrival, to: 4000, every: interval)
                continue
            }
            scene.stay(user, stop, from: arrival, to: arrival + pause, every: interval)
            let next = scene.travel(
                user,
                from: stop,
                to: end,
                start: arrival + pause,
                speed: 12,
                every: interval,
                phase: phase
            )
            scene.stay(user, end, from: next, to: 4000, every: interval)
        }
    }

    @Test(
        "friends drop one home and park 350 m on, or drive on: nobody is told",
        arguments: [350.0, 5000],
        [10.0, 25]
    )
    func droppedHome(metres: Double, interval: Double) {
        var scene = GatheringScene(1...4)
        Self.ride(
            &scene,
            via: Self.cafe,
            for: 40,
            to: Self.cafe.moved(metres, bearing: 20),
            with: 4,
            every: interval
        )
        let outcome = scene.play(until: 4000)
        #expect(outcome.began.count == 1)
        #expect(outcome.alerts.isEmpty)
    }

    @Test("one gets off the bus: nobody is told", arguments: [5.0, 20])
    func bus(interval: Double) {
        var scene = GatheringScene(1...4)
        Self.ride(&scene, via: Self.cafe, for: 15, to: Self.cafe.moved(8000, bearing: 20), with: 4, every: interval)
        #expect(scene.play(until: 4000).alerts.isEmpty)
    }

    @Test(
        "friends who pass a member's bench, on foot, by bicycle or by car, leave nobody behind",
        arguments: [1.4, 3, 6, 14, 20],
        [2.0, 5]
    )
    func passing(speed: Double, interval: Double) {
        for seed: UInt64 in 1...4 {
            var random = SeededGenerator(seed: seed)
            var scene = GatheringScene(1...4)
            let begin = Self.cafe.moved(3000, bearing: 250)
            let end = Self.cafe.moved(3000, bearing: 70)
            scene.stay(4, Self.cafe, from: 0, to: 7000, every: 20)
            for user: Int64 in 1...3 {
                scene.stay(user, begin, from: 0, to: 900, every: 15)
                let side = Double.random(in: 0..<25, using: &random)
                let middle = Self.cafe.moved(side, bearing: 160)
                let there = scene.travel(user, from: begin, to: middle, start: 900, speed: speed, every: interval)
                let arrival = scene.travel(user, from: middle, to: end, start: there, speed: speed, every: interval)
                scene.stay(user, end, from: arrival, to: 7000, every: 15)
            }
            #expect(scene.play(until: 7000).notified == ["4 gathered"], "seed \(seed)")
        }
    }

    @Test("40 s at a red light beside one who waits there", arguments: [2.0, 5, 10])
    func redLight(interval: Double) {
        var scene = GatheringScene(1...4)
        Self.ride(&scene, via: Self.cafe, for: 40, to: Self.cafe.moved(5000, bearing: 20), with: nil, every: interval)
        scene.deliveries.removeAll { $0.user == UserID(4) }
        scene.stay(4, Self.cafe, from: 0, to: 4000, every: 15)
        #expect(scene.play(until: 4000).notified == ["4 gathered"])
    }

    @Test("friends who sat with one an hour ago and pass by again leave nobody behind")
    func passingAgain() {
        var scene = GatheringScene(1...4, settings: GroupSettings(cooldown: 0))
        let end = Self.cafe.moved(4000, bearing: 70)
        scene.stay(4, Self.cafe, from: 0, to: 9000, every: 20)
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 0, to: 900)
            var (time, place) = (900.0, Self.cafe)
            for leg in 0..<6 {
                let target = Self.cafe.moved(1500, bearing: 60 * Double(leg))
                time = scene.travel(user, from: place, to: target, start: time, speed: 2, every: 10)
                place = target
            }
            time = scene.travel(user, from: place, to: Self.cafe, start: time, speed: 2, every: 10)
            time = scene.travel(user, from: Self.cafe, to: end, start: time + 20, speed: 2, every: 10)
        }
        #expect(scene.play(until: 9000).notified == ["4 departed"], "when they went, and not when they passed")
    }

    @Test("one reading delivered twice is one: two apps, one in seconds and one in milliseconds")
    func twice() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 0, to: 2400) }
        scene.stay(4, Self.cafe, from: 0, to: 2400)
        // A stray fix of the seated member, far off and with high accuracy, from two apps, and again a minute later.
        for second in [1000.4, 1001.39] {
            scene.report(4, at: second, Self.cafe.moved(900, bearing: 10), accuracy: 2)
        }
        let stray = scene.deliveries.count
        scene.report(4, at: 1000.4, Self.cafe.moved(900, bearing: 10), accuracy: 2, delay: 70)
        #expect(scene.deliveries.count == stray + 1)
        let outcome = scene.play(until: 2400)
        #expect(outcome.began.count == 1 && outcome.changed.isEmpty && outcome.alerts.isEmpty)
    }

    @Test("a phone that falls silent in a car is not with one who walked a kilometre away")
    func ghost() {
        var scene = GatheringScene(1...5)
        let turn = Self.cafe.moved(1500, bearing: 20)
        for user: Int64 in 1...5 { scene.stay(user, Self.cafe, from: 0, to: user <= 2 ? 900 : 20_000, every: 20) }
        // Two drive off, and one phone dies on the way; the other member walks back.
        for user: Int64 in 1...2 { scene.travel(user, from: Self.cafe, to: turn, start: 900, speed: 15, every: 5) }
        scene.travel(2, from: turn, to: Self.cafe, start: 1001, speed: 1.4, every: 10)
        scene.stay(2, Self.cafe, from: 2080, to: 20_000, every: 60)
        let outcome = scene.play(until: 20_000)
        #expect(outcome.alerts.isEmpty)
        let places = outcome.changed.map { Coordinate(latitude: $0.place.lat, longitude: $0.place.lon) }
        #expect(places.allSatisfy { $0.distance(to: Self.cafe) < 50 }, "the unknown move no place")
        #expect(outcome.changed.last?.together.map(\.rawValue) == [2, 3, 4, 5])
        #expect(outcome.began.count == 1 && outcome.ended.isEmpty)
    }

    @Test("a gathering of which only one is heard any more misses nobody")
    func noCompany() {
        var scene = GatheringScene(1...4)
        let home = Self.cafe.moved(2000, bearing: 180)
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 0, to: user == 1 ? 9000 : 400) }
        scene.stay(4, home, from: 4000, to: 9000)
        #expect(scene.play(until: 9000).alerts.isEmpty)
        // One of the others reports again.
        scene.stay(2, Self.cafe, from: 6000, to: 9000)
        let outcome = scene.play(until: 9000)
        #expect(outcome.notified == ["4 gathered"])
        #expect(outcome.alerts.allSatisfy { 6000...6060 ~= ($0.at - GatheringScene.start) / 1000 })
    }

    @Test("of four who leave one has a dead phone: the one left behind is told within some ten minutes")
    func deadPhoneAmongThoseWhoLeft() throws {
        var scene = GatheringScene(1...5)
        let far = Self.cafe.moved(9000, bearing: 60)
        for user: Int64 in 1...5 { scene.stay(user, Self.cafe, from: 0, to: user == 5 ? 4000 : 900) }
        for user: Int64 in 1...3 {
            let arrival = scene.travel(user, from: Self.cafe, to: far, start: 903, speed: 14)
            scene.stay(user, far, from: arrival, to: 4000)
        }
        let outcome = scene.play(until: 4000)
        #expect(outcome.notified == ["5 departed"])
        let alert = try #require(outcome.alerts.first)
        #expect(1400...1560 ~= (alert.at - GatheringScene.start) / 1000)
    }

    @Test("who wakes when the others are 20 km on hears where they are now, and how old that is")
    func placeNow() throws {
        var scene = GatheringScene(1...4)
        let home = Self.cafe.moved(2000, bearing: 180)
        let end = Self.cafe.moved(40_000, bearing: 60)
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 0, to: 900)
            scene.travel(user, from: Self.cafe, to: end, start: 900, speed: 20, every: 15, phase: Double(user) * 4)
        }
        scene.stay(4, home, from: 1700, to: 2600)
        let alert = try #require(scene.play(until: 2600).alerts.first)
        #expect(alert.variant == .gathered)
        let there = Self.cafe.moved(20 * (Double(alert.at - GatheringScene.start) / 1000 - 900), bearing: 60)
        let place = Coordinate(latitude: alert.place.lat, longitude: alert.place.lon)
        #expect(place.distance(to: there) < 500)
        #expect(alert.place.at.map { 0...60_000 ~= alert.at - $0 } == true)
        let own = Coordinate(latitude: alert.you.lat, longitude: alert.you.lon)
        #expect(abs(own.distance(to: place) - alert.distance) < 1)
    }
}
