import MusterMath
import Testing

@testable import MusterCore

/// Days of groups, each with what a person would expect of Muster.
@Suite("Stories of gatherings")
struct GatheringStoryTests {
    static let cafe = GatheringScene.cafe
    static let home = cafe.moved(2000, bearing: 200)

    /// Three sit at the cafe from the first minute, the fourth at home, for an hour.
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

    @Test("somebody at 120 m is neither in nor told")
    func besides() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 0, to: 3600) }
        scene.stay(4, Self.cafe.moved(120, bearing: 90), from: 0, to: 3600)
        let outcome = scene.play(until: 3600)
        #expect(outcome.began.map { $0.together.count } == [3])
        #expect(outcome.began.map(\.absent) == [[]])
        #expect(outcome.alerts.isEmpty && outcome.changed.isEmpty)
    }

    @Test("an hour of wobble round R makes one transition at most", arguments: [1, 2, 3, 4] as [UInt64])
    func wobble(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var scene = GatheringScene(1...3, settings: GroupSettings(dwell: 0))
        scene.stay(1, Self.cafe, from: 0, to: 3600, every: 10)
        scene.stay(2, Self.cafe, from: 0, to: 3600, every: 10)
        for second in stride(from: 300.0, to: 3600, by: 10) {
            let distance = 100 + random.normal(12)
            scene.report(3, at: second, Self.cafe.moved(distance, bearing: 70), accuracy: 12)
        }
        let outcome = scene.play(until: 3600)
        #expect(outcome.changed.count { $0.together.count == 3 } <= 1, "seed \(seed)")
        #expect(outcome.changed.count { $0.together.count == 2 } == 0, "seed \(seed)")
        #expect(outcome.ended.isEmpty && outcome.alerts.isEmpty, "seed \(seed)")
    }

    /// How the fixes of two neighbours scatter.
    struct Noise: Sendable, CustomTestStringConvertible {
        /// The deviation in metres.
        var metres: Double
        /// How much of an error is left after 30 s; the errors of GPS drift.
        var memory: Double
        var interval: Double
        var testDescription: String {
            "\(Int(self.metres)) m, \(self.memory) after 30 s, every \(Int(self.interval)) s"
        }
    }

    @Test(
        "a neighbour 185 m away is not linked in 40 h of noise",
        arguments: [20.0, 30].flatMap { metres in
            [0, 0.9].flatMap { memory in
                [15.0, 30, 60, 120, 300].map { Noise(metres: metres, memory: memory, interval: $0) }
            }
        }
    )
    func neighbour(noise: Noise) {
        let seed: UInt64 = 11
        var random = SeededGenerator(seed: seed)
        var scene = GatheringScene(1...2, settings: GroupSettings(dwell: 0))
        let halves = Int(noise.interval / 15)
        let memory = (0..<halves).reduce(1.0) { product, _ in product * noise.memory.squareRoot() }
        let fresh = noise.metres * (1 - memory * memory).squareRoot() / 2.0.squareRoot()
        var errors = [(0.0, 0.0), (0.0, 0.0)]
        let house = Self.cafe.moved(185, bearing: 90)
        for second in stride(from: 0.0, to: 40 * 3600, by: noise.interval) {
            for (index, home) in [Self.cafe, house].enumerated() {
                errors[index].0 = memory * errors[index].0 + random.normal(fresh)
                errors[index].1 = memory * errors[index].1 + random.normal(fresh)
                let place = home.moved(errors[index].0, bearing: 0).moved(errors[index].1, bearing: 90)
                scene.report(
                    Int64(index + 1),
                    at: second + Double(index) * 7,
                    place,
                    accuracy: Float(noise.metres)
                )
            }
        }
        let outcome = scene.play(until: 40 * 3600, tick: 10_000)
        #expect(outcome.began.isEmpty, "seed \(seed)")
    }

    @Test("who moves in next door and walks over is linked as quickly as anybody")
    func walksOver() throws {
        var scene = GatheringScene(1...2, settings: GroupSettings(dwell: 0))
        let house = Self.cafe.moved(400, bearing: 90)
        scene.stay(1, Self.cafe, from: 0, to: 4000)
        scene.stay(2, house, from: 0, to: 3000)
        let arrival = scene.travel(2, from: house, to: Self.cafe, start: 3000, speed: 1.4)
        scene.stay(2, Self.cafe, from: arrival, to: 4000)
        let began = try #require(scene.play(until: 4000).began.first)
        #expect(Double(began.since - GatheringScene.start) / 1000 < arrival + 30)
    }

    @Test("a fix that is 17 km wide decides nothing")
    func inaccurate() {
        var scene = Self.threeMeet
        for second in stride(from: 300.0, to: 3600, by: 60) {
            scene.report(1, at: second, Self.cafe.moved(9000, bearing: 10), accuracy: 17_000)
        }
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerted == [4])
        #expect(outcome.changed.isEmpty && outcome.ended.isEmpty)
    }

    @Test("one stray fix, however confident, takes nobody out")
    func stray() {
        var scene = Self.threeMeet
        for second in stride(from: 600.5, to: 3600, by: 600) {
            scene.report(2, at: second, Self.cafe.moved(400, bearing: 10), accuracy: 1.9)
        }
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerted == [4])
        #expect(outcome.changed.isEmpty && outcome.ended.isEmpty)
    }

    @Test("points of an hour ago that are uploaded now do nothing")
    func lateUpload() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...4 {
            for second in stride(from: 0.0, to: 1200, by: 10) {
                let place = user == 4 ? Self.home : Self.cafe
                scene.report(user, at: second, place, delay: 3600)
            }
        }
        #expect(scene.play(until: 6000).events.isEmpty)
    }

    @Test("who fell silent long before is not absent, because nobody knows where they are")
    func unknown() {
        var scene = GatheringScene(1...4)
        scene.stay(4, Self.home, from: 0, to: 60)
        for user: Int64 in 1...3 { scene.stay(user, Self.cafe, from: 1200, to: 4000) }
        let outcome = scene.play(until: 4000)
        #expect(outcome.began.map(\.absent) == [[]])
        #expect(outcome.alerts.isEmpty)
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

    @Test("one of two at the cafe falls silent: they stay together until both were silent for 2 h")
    func silence() throws {
        var scene = GatheringScene(1...3)
        scene.stay(1, Self.cafe, from: 0, to: 1200)
        scene.stay(2, Self.cafe, from: 0, to: 9000)
        scene.stay(3, Self.home, from: 0, to: 9000)
        let outcome = scene.play(until: 9000)
        #expect(outcome.began.count == 1)
        #expect(outcome.ended.isEmpty && outcome.changed.isEmpty)

        // The last fix of 2 keeps it usable for 45 min, and nobody is heard for 2 h after that.
        let later = scene.play(until: 9000 + 2700 + 7200 + 60)
        #expect(later.ended.count == 1)
        #expect(scene.play(until: 9000 + 2700 + 7200 - 60).ended.isEmpty)
        #expect(later.alerted == [3])
    }

    @Test("who pauses is out at once and unseen, and takes part again after resuming")
    func pause() throws {
        var scene = Self.threeMeet
        scene.changes = [
            (900, .sharingChanged(UserID(3), isLive: false)), (1800, .sharingChanged(UserID(3), isLive: true)),
        ]
        let outcome = scene.play(until: 3600)
        #expect(outcome.began.count == 1)
        #expect(outcome.changed.map { $0.together.map(\.rawValue) } == [[1, 2], [1, 2, 3]])
        #expect(outcome.alerted == [4])
    }

    @Test("who pauses is named no more, also when the gathering is about to end for it")
    func pauseBelow() {
        var scene = GatheringScene(1...3)
        for user: Int64 in 1...2 { scene.stay(user, Self.cafe, from: 0, to: 1800) }
        scene.stay(3, Self.home, from: 0, to: 1800)
        scene.changes = [(900, .sharingChanged(UserID(2), isLive: false)), (930, .memberLeft(UserID(3)))]
        let outcome = scene.play(until: 1800)
        #expect(outcome.changed.map { $0.together.map(\.rawValue) } == [[1], [1]])
        #expect(outcome.changed.last?.absent == [])
        #expect(outcome.ended.map { $0.together.map(\.rawValue) } == [[1]])
    }

    @Test("the place of who pauses is not told on: it is that of the others, or none that is exact")
    func pausedPlace() throws {
        let places = [
            Coordinate(latitude: 48.13712, longitude: 11.57513), Coordinate(latitude: 48.13734, longitude: 11.57531),
            Coordinate(latitude: 48.13755, longitude: 11.57552),
        ]
        var scene = GatheringScene(1...3)
        for (user, place) in zip(1...3 as ClosedRange<Int64>, places) { scene.stay(user, place, from: 0, to: 1800) }
        scene.changes = [
            (900, .sharingChanged(UserID(2), isLive: false)), (1200, .sharingChanged(UserID(1), isLive: false)),
        ]
        let outcome = scene.play(until: 1800)
        let began = try #require(outcome.began.first?.place)
        #expect(began.lat == 48.13734 && began.lon == 11.57531, "the median is the position of one of them")
        let changed = outcome.changed.map(\.place)
        #expect(changed.count == 2)
        #expect(abs((changed.first?.lat ?? 0) - (48.13712 + 48.13755) / 2) < 1e-9)
        #expect(abs((changed.first?.lon ?? 0) - (11.57513 + 11.57552) / 2) < 1e-9)
        #expect(changed.last == GatheringPlace(lat: 48.14, lon: 11.58))
        #expect(outcome.ended.map(\.place) == [GatheringPlace(lat: 48.14, lon: 11.58)])
        #expect(outcome.changed.allSatisfy { $0.state == .together })
    }

    @Test("somebody walks in and their phone dies: they are together, and are not told that they are not")
    func phoneDies() {
        var scene = Self.threeMeet
        scene.deliveries.removeAll { $0.user == UserID(4) }
        let arrival = scene.travel(4, from: Self.home, to: Self.cafe, start: 0, speed: 13)
        scene.report(4, at: arrival + 5, Self.cafe)
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerts.isEmpty)
    }

    @Test("after everybody's phone died the gathering ends by itself, and those who come back gather anew")
    func allPhonesDie() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 {
            scene.stay(user, Self.cafe, from: 0, to: 240)
            scene.stay(user, Self.cafe, from: 9000, to: 9600)
        }
        let outcome = scene.play(until: 9600)
        // The last fixes keep them usable for 5 min, and 2 h of silence follow.
        #expect(outcome.ended.count == 1)
        #expect(outcome.began.count == 2)
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
            // They sit in one car, but their phones report at different moments, so that they look far apart.
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

    @Test(
        "one stray confident fix of the absent one as the dwell ends: they are told all the same",
        arguments: [170.5, 185.5, 200.5]
    )
    func strayAbsent(second: Double) {
        var scene = Self.threeMeet
        scene.report(4, at: second, Self.cafe, accuracy: 1.9)
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerted == [4])
        #expect(outcome.began.count == 1 && outcome.ended.isEmpty)
    }

    @Test("one over-confident fix 200 m off, of one who is together: nothing happens")
    func overConfident() {
        var scene = Self.threeMeet
        scene.report(2, at: 1000.5, Self.cafe.moved(200, bearing: 10), accuracy: 1.9)
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerted == [4] && outcome.changed.isEmpty && outcome.ended.isEmpty)
    }

    @Test("two groups 72 m apart with degrading accuracy do not oscillate")
    func seventyTwo() {
        var scene = GatheringScene(1...6, settings: GroupSettings(radius: 50, dwell: 60))
        let other = Self.cafe.moved(72, bearing: 90)
        for second in stride(from: 0.0, to: 3600, by: 15) {
            // From 5 m to 95 m and back, every 10 min.
            let accuracy = Float(50 - 45 * cosine(second / 600 * 2 * .pi))
            for user: Int64 in 1...6 {
                let place = (user <= 4 ? Self.cafe : other).moved(3, bearing: 60 * Double(user))
                scene.report(user, at: second + Double(user) * 0.37, place, accuracy: accuracy)
            }
        }
        let outcome = scene.play(until: 3600)
        #expect(outcome.began.map { $0.together.map(\.rawValue) } == [[1, 2, 3, 4]])
        #expect(outcome.changed.isEmpty && outcome.ended.isEmpty && outcome.alerts.isEmpty)
    }

    @Test("new members who never reported are neither missed nor counted")
    func silentNew() {
        var scene = Self.threeMeet
        scene.changes = (10...14).map { (100, .memberJoined(UserID($0), isSharingLive: true)) }
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerted == [4])
        #expect(outcome.began.count == 1 && outcome.changed.isEmpty && outcome.ended.isEmpty)
    }

    @Test("the browser at home and the phone at the cafe: the phone leads, and its owner is together with the others")
    func browserAtHome() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 {
            let arrival = scene.travel(user, from: Self.home, to: Self.cafe, start: 0, speed: 8)
            scene.stay(user, Self.cafe, from: arrival, to: 3600)
        }
        for second in stride(from: 5.0, to: 3600, by: 20) {
            scene.report(3, at: second, Self.home, accuracy: 40, device: 1, kind: .browser)
        }
        scene.stay(4, Self.home, from: 0, to: 3600)
        let outcome = scene.play(until: 3600)
        #expect(outcome.told == ["4 gathered"])
        #expect(outcome.began.map { $0.together.map(\.rawValue) } == [[1, 2, 3]])
        // They gather on their way, and move.
        #expect(outcome.changed.allSatisfy { $0.state == .moved && $0.together.map(\.rawValue) == [1, 2, 3] })
        #expect(outcome.ended.isEmpty)
        #expect((outcome.verdicts[.secondary] ?? 0) > 150)
    }

    @Test("a phone up to 2 min wrong does not matter", arguments: [-120.0, -60, 60, 90, 120])
    func wrongClock(ahead: Double) {
        var scene = Self.threeMeet
        scene.deliveries.removeAll { $0.user == UserID(3) || $0.user == UserID(4) }
        for second in stride(from: 1.0, to: 3600, by: 15) {
            scene.report(3, at: second, Self.cafe, ahead: ahead)
            scene.report(4, at: second, Self.home, ahead: -ahead)
        }
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerted == [4])
        #expect(outcome.began.map { $0.together.count } == [3])
        #expect(outcome.changed.isEmpty && outcome.ended.isEmpty)
    }

    @Test("a buffer of an hour that ends now: only what is fresh counts")
    func buffer() {
        var scene = Self.threeMeet
        scene.deliveries.removeAll { $0.user == UserID(4) }
        for second in stride(from: 0.0, through: 3000, by: 10) {
            // Was at the cafe all the time, in a cellar.
            scene.report(4, at: second, Self.cafe, delay: 3000 - second + 0.2)
        }
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerts.isEmpty)
        #expect(outcome.changed.last?.together.map(\.rawValue) == [1, 2, 3, 4])
    }
}
