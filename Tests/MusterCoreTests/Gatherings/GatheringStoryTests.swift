import Testing

@testable import MusterCore

/// Days of groups with the results that a user would expect.
@Suite("Stories of gatherings")
struct GatheringStoryTests {
    static let cafe = GatheringScene.cafe
    static let home = cafe.moved(2000, bearing: 200)

    /// Three sit at the café from the first minute, the fourth at home, for an hour.
    static var threeMeet: GatheringScene {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 {
            scene.stay(user, self.cafe.moved(10, bearing: 120 * Double(user)), from: 0, to: 3600)
        }
        scene.stay(4, self.home, from: 0, to: 3600)
        return scene
    }

    @Test("three meet, the fourth stays away and is told exactly once")
    func threeMeet() throws {
        let outcome = Self.threeMeet.play(until: 3600)
        let alert = try #require(outcome.alerts.first)
        #expect(outcome.alerted == [4])
        #expect(alert.variant == .gathered)
        #expect(alert.together.map(\.rawValue) == [1, 2, 3])
        #expect(abs(alert.distance - 2000) < 20)
        #expect(180...240 ~= (alert.at - GatheringScene.start) / 1000)
        #expect(outcome.began.count == 1)
        #expect(outcome.changed.isEmpty && outcome.ended.isEmpty)
        let place = Coordinate(latitude: alert.place.lat, longitude: alert.place.lon)
        #expect(place.distance(to: Self.cafe) < 15)
    }

    @Test("they arrive one by one every 10 min, the last never comes: one alert", arguments: [5, 6, 10])
    func oneByOne(count: Int64) {
        var scene = GatheringScene(1...count)
        let end = Double(count) * 600 + 3600
        for user in 1..<count {
            let start = Double(user - 1) * 600
            scene.stay(user, Self.home, from: 0, to: start)
            let arrival = scene.travel(user, from: Self.home, to: Self.cafe, start: start, speed: 8)
            scene.stay(user, Self.cafe.moved(10, bearing: 30 * Double(user)), from: arrival, to: end)
        }
        scene.stay(count, Self.cafe.moved(5000, bearing: 0), from: 0, to: end)
        let outcome = scene.play(until: end)
        #expect(outcome.alerted == [count])
        #expect(outcome.ended.count + 1 == outcome.began.count)
        #expect(outcome.alerts.first?.together.count == Int(count) - 1)
    }

    @Test("somebody at 112 m, which accuracy may explain, is neither in nor told")
    func besides() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 0, to: 3600) }
        scene.stay(4, Self.cafe.moved(112, bearing: 90), from: 0, to: 3600)
        let outcome = scene.play(until: 3600)
        #expect(outcome.began.map { $0.together.count } == [3])
        #expect(outcome.began.map(\.absent) == [[]])
        #expect(outcome.alerts.isEmpty && outcome.changed.isEmpty)
    }

    @Test("two people alone gather and part, and nobody is told that they are alone")
    func twoPeople() {
        var scene = GatheringScene(1...2)
        for user: Int64 in 1...2 { scene.stay(user, Self.cafe, from: 0, to: 1200) }
        scene.stay(1, Self.cafe, from: 1200, to: 3000)
        scene.stay(2, Self.home, from: 1500, to: 3000)
        let outcome = scene.play(until: 3000)
        #expect(outcome.began.count == 1)
        #expect(outcome.ended.count == 1)
        #expect(outcome.alerts.isEmpty)
    }

    @Test("with dwell 0 the absent one is told as soon as the others are linked")
    func noDwell() throws {
        var scene = Self.threeMeet
        scene.settings.dwell = 0
        let outcome = scene.play(until: 3600)
        let alert = try #require(outcome.alerts.first)
        #expect((alert.at - GatheringScene.start) / 1000 <= 60)
        #expect(outcome.alerted == [4])
    }

    @Test("within the cooldown a second gathering tells nobody, after it it does", arguments: [(1800, 1), (600, 2)])
    func cooldown(seconds: Int, alerts: Int) {
        var scene = GatheringScene(1...4, settings: GroupSettings(cooldown: seconds))
        scene.stay(4, Self.home, from: 0, to: 4000)
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 0, to: 400)
            scene.stay(user, Self.cafe.moved(3000 * Double(user), bearing: 120 * Double(user)), from: 430, to: 900)
            scene.stay(user, Self.cafe, from: 930, to: 4000)
        }
        let outcome = scene.play(until: 4000)
        #expect(outcome.began.count == 2)
        #expect(outcome.alerted == Array(repeating: 4, count: alerts))
    }

    @Test(
        "more missing than maxAbsent means that nobody is told",
        arguments: [(1, []), (2, [4, 5])] as [(Int, [Int64])]
    )
    func maxAbsent(limit: Int, alerted: [Int64]) {
        var scene = GatheringScene(1...5, settings: GroupSettings(maxAbsent: limit))
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 0, to: 1200) }
        for user: Int64 in 4...5 { scene.stay(user, Self.home, from: 0, to: 1200) }
        #expect(scene.play(until: 1200).alerted == alerted)
    }

    @Test("who was there and went home is not told that the others gathered without them")
    func wasThere() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...4 { scene.stay(user, Self.cafe, from: 0, to: 900) }
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 900, to: 3600) }
        let arrival = scene.travel(4, from: Self.cafe, to: Self.home, start: 900, speed: 1.4)
        scene.stay(4, Self.home, from: arrival, to: 3600)
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerts.isEmpty)
        #expect(outcome.changed.last?.together.map(\.rawValue) == [1, 2, 3])
        #expect(outcome.changed.last?.absent.map(\.rawValue) == [4])
        #expect(outcome.ended.isEmpty)
    }

    @Test(
        "three in a car at highway speed stay together, and the one left behind is told once",
        arguments: [10.0, 30.0]
    )
    func ride(interval: Double) {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 0, to: 600)
            // They share a car, but their phones report at different moments, so they appear far apart.
            for second in stride(from: Double(user) * interval / 3, to: 600, by: interval) {
                scene.report(user, at: 605 + second, Self.cafe.moved(33 * second, bearing: 60))
            }
        }
        scene.stay(4, Self.home, from: 0, to: 1200)
        let outcome = scene.play(until: 1200)
        #expect(outcome.began.count == 1)
        #expect(outcome.ended.isEmpty)
        #expect(outcome.alerted == [4])
    }
}
