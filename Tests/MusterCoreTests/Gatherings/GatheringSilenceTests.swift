import Testing

@testable import MusterCore

/// Silent members: phones that die, members who never reported, and members who pause.
@Suite("Stories of silence")
struct GatheringSilenceTests {
    @Test("who fell silent long before is not absent, because nobody knows where they are")
    func unknown() {
        var scene = GatheringScene(1...4)
        scene.stay(4, GatheringStoryTests.home, from: 0, to: 60)
        for user: Int64 in 1...3 { scene.stay(user, GatheringScene.cafe, from: 1200, to: 4000) }
        let outcome = scene.play(until: 4000)
        #expect(outcome.began.map(\.absent) == [[]])
        #expect(outcome.alerts.isEmpty)
    }

    @Test("one of two at the cafe falls silent: they stay together until both were silent for 2 h")
    func silence() throws {
        var scene = GatheringScene(1...3)
        scene.stay(1, GatheringScene.cafe, from: 0, to: 1200)
        scene.stay(2, GatheringScene.cafe, from: 0, to: 9000)
        scene.stay(3, GatheringStoryTests.home, from: 0, to: 9000)
        let outcome = scene.play(until: 9000)
        #expect(outcome.began.count == 1)
        #expect(outcome.ended.isEmpty && outcome.changed.isEmpty)

        // The last fix of 2 keeps it usable for 45 min, and then 2 h without fixes end the gathering.
        let later = scene.play(until: 9000 + 2700 + 7200 + 60)
        #expect(later.ended.count == 1)
        #expect(scene.play(until: 9000 + 2700 + 7200 - 60).ended.isEmpty)
        #expect(later.alerted == [3])
    }

    @Test("who pauses is out at once and unseen, and takes part again after resuming")
    func pause() throws {
        var scene = GatheringStoryTests.threeMeet
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
        for user: Int64 in 1...2 { scene.stay(user, GatheringScene.cafe, from: 0, to: 1800) }
        scene.stay(3, GatheringStoryTests.home, from: 0, to: 1800)
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
        var scene = GatheringStoryTests.threeMeet
        scene.deliveries.removeAll { $0.user == UserID(4) }
        let arrival = scene.travel(4, from: GatheringStoryTests.home, to: GatheringScene.cafe, start: 0, speed: 13)
        scene.report(4, at: arrival + 5, GatheringScene.cafe)
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerts.isEmpty)
        let last = (outcome.began + outcome.changed).last
        #expect(last?.together.map(\.rawValue) == [1, 2, 3, 4], "the one whose phone died counts where it was last")
        #expect(outcome.began.count == 1 && outcome.ended.isEmpty)
    }

    @Test("after everybody's phone died the gathering ends by itself, and those who come back gather anew")
    func allPhonesDie() {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...3 {
            scene.stay(user, GatheringScene.cafe, from: 0, to: 240)
            scene.stay(user, GatheringScene.cafe, from: 9000, to: 9600)
        }
        let outcome = scene.play(until: 9600)
        // The last fixes are usable for 5 min, and then 2 h of silence follow.
        #expect(outcome.ended.count == 1)
        #expect(outcome.began.count == 2)
        #expect(outcome.alerts.isEmpty)
    }

    @Test(
        "all move on and nobody is usable before it is certain: the gathering stays where it was, and ends by itself",
        arguments: [282.0, 285, 290, 298]
    )
    func silentOnTheWay(arrival: Double) throws {
        var settings = GroupSettings()
        settings.dwell = 1
        var scene = GatheringScene(1...3, settings: settings)
        let bar = GatheringScene.cafe.moved(330, bearing: 0)
        for user: Int64 in 1...3 {
            // A phone that was offline reports all its fixes within seconds.
            for (second, wait) in [(0.0, 0.0), (5, 1.2), (10, 2.4), (50, 8.6)] {
                scene.report(user, at: second, second < 50 ? GatheringScene.cafe : bar, delay: arrival + wait - second)
            }
        }
        let outcome = scene.play(until: 3 * 3600)
        #expect(outcome.began.count == 1 && outcome.changed.isEmpty)
        let ended = try #require(outcome.ended.first)
        #expect(ended.place == outcome.began.first?.place)
        // The fixes are usable for 5 min, and then 2 h of silence follow.
        #expect(outcome.events.last == .ended(ended, at: GatheringScene.moment(50 + 300 + 7200)))
    }

    @Test("who falls silent moves no place: those who are still heard of sit where they sat")
    func silenceAtOneEnd() {
        var scene = GatheringScene(1...9)
        for user: Int64 in 1...9 {
            let place = GatheringScene.cafe.moved(90 * Double(user - 1), bearing: 90)
            scene.stay(user, place, from: 0, to: user < 7 ? 900 : 6000)
        }
        let outcome = scene.play(until: 6000)
        #expect(outcome.began.map { $0.together.count } == [9])
        #expect(outcome.changed.isEmpty && outcome.ended.isEmpty)
    }

    @Test("new members who never reported are neither missed nor counted")
    func silentNew() {
        var scene = GatheringStoryTests.threeMeet
        scene.changes = (10...14).map { (100, .memberJoined(UserID($0), isSharingLive: true)) }
        let outcome = scene.play(until: 3600)
        #expect(outcome.alerted == [4])
        #expect(outcome.began.count == 1 && outcome.changed.isEmpty && outcome.ended.isEmpty)
    }
}
