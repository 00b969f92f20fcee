import Testing

@testable import MusterCore

@Suite("Arrivals: generated days")
struct ArrivalSearchTests {
    @Test(
        "of 60 days at least 99 % is told, with at most 0.2 errors and 0.1 reversed ones a day",
        .timeLimit(.minutes(2))
    )
    func score() {
        var score = ArrivalScore()
        for seed in UInt64(1_000)..<1_060 {
            let day = ArrivalDay(seed: seed)
            score.add(day, day.run())
        }
        #expect(Double(score.found) >= 0.99 * Double(score.truths))
        #expect(score.wrong <= score.days / 5)
        #expect(score.flaps <= score.days / 10)
    }

    @Test("a day is told the same after restarts, and with rarer ticks nothing is told too early", arguments: 0..<12)
    func restarts(_ seed: Int) {
        let day = ArrivalDay(seed: UInt64(seed))
        let told = day.run()
        var random = DayRandom(seed: UInt64(seed))
        let restarts = Set((0..<40).map { _ in Int.random(in: 1...day.fixes.count, using: &random) })
        #expect(day.run(restarts: restarts) == told, "seed \(seed)")
        let rare = day.run(step: 5_000)
        #expect(rare.map(\.place) == told.map(\.place) && rare.map(\.since) == told.map(\.since), "seed \(seed)")
    }

    @Test("two homes 72 m apart alternate in no week, whatever the accuracy", arguments: [15, 60, 300])
    func neighbours(_ interval: Int) {
        let circles = [0.0, 72].enumerated().map { index, east in
            ArrivalGround.Circle(
                place: GroupPlaceID(Int64(index + 1)),
                centre: ArrivalDay.coordinate(east, 0),
                radius: 100
            )
        }
        var random = DayRandom(seed: UInt64(interval))
        let seconds = interval == 15 ? 2 * 86_400 : 7 * 86_400
        let fixes = stride(from: 0, to: seconds, by: interval).map { second in
            let accuracy = 5 + 90 * Double(second) / Double(seconds)
            let at = ArrivalDay.moment(second)
            let fix = ArrivalFix(
                device: DeviceID(1),
                at: at,
                receivedAt: at + 1_000,
                coordinate: ArrivalDay.coordinate(accuracy / 2 * random.normal(), accuracy / 2 * random.normal()),
                accuracy: Float(accuracy),
                standing: .timely,
                isPing: interval == 300
            )
            return (fix: fix, arrival: at + 1_000)
        }
        let told = ArrivalDay.run(fixes, step: 5_000, circles: circles, until: ArrivalDay.moment(seconds))
        #expect(told.isEmpty)
    }
}
