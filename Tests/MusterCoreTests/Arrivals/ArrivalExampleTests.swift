import Foundation
import Testing

@testable import MusterCore

@Suite("Arrivals: examples")
struct ArrivalExampleTests {
    struct Example: Decodable, Sendable, CustomTestStringConvertible {
        struct Place: Decodable, Sendable {
            var place: String
            var lat: Double
            var lon: Double
            var radius: Double
        }

        struct Report: Decodable, Sendable {
            var at: Int64
            var receivedAt: Int64
            var lat: Double
            var lon: Double
            var accuracy: Float
            var trigger: String
        }

        struct Expected: Decodable, Sendable {
            var type: String
            var place: String
            var at: Int64
        }

        var name: String
        var places: [Place]
        var fixes: [Report]
        var until: Int64
        var expected: [Expected]

        var testDescription: String { self.name }

        var circles: [ArrivalGround.Circle] {
            self.places.enumerated().map { index, place in
                ArrivalGround.Circle(
                    place: GroupPlaceID(Int64(index + 1)),
                    centre: Coordinate(latitude: place.lat, longitude: place.lon),
                    radius: place.radius
                )
            }
        }

        /// The fixes as the gate passes them on.
        var evaluated: [(fix: ArrivalFix, arrival: Timestamp)] {
            var gate = FixGate(acknowledged: 0)
            var newest: Timestamp?
            return self.fixes.enumerated().compactMap { index, report in
                let arrival = Timestamp(milliseconds: report.receivedAt)
                let fix = Fix(
                    sequence: Int64(index + 1),
                    at: Timestamp(milliseconds: report.at),
                    coordinate: Coordinate(latitude: report.lat, longitude: report.lon),
                    accuracy: report.accuracy,
                    trigger: Fix.Trigger(rawValue: report.trigger)
                )
                let result = gate.evaluate(fix, receivedAt: arrival, newestShown: newest, retention: 86_400_000)
                guard case .evaluated(let evaluated) = result else { return nil }
                if evaluated.isShown { newest = evaluated.at }
                return ArrivalFix(device: DeviceID(1), fix, evaluated, receivedAt: arrival).map { ($0, arrival) }
            }
        }
    }

    static let examples: [Example] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/arrivals-examples.jsonl")
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            try? JSONDecoder().decode(Example.self, from: Data(line.utf8))
        }
    }()

    private static func told(_ example: Example, _ told: [ArrivalDay.Told]) -> [String] {
        told.map { "\(example.places[$0.place].place) \($0.hasArrived ? "place_arrived" : "place_left")" }
    }

    @Test("all examples are read")
    func count() { #expect(Self.examples.count == 17) }

    @Test("an example has the notifications of the table, at most 4 s later", arguments: Self.examples)
    func example(_ example: Example) {
        let until = Timestamp(milliseconds: example.until + 4_000)
        let told = ArrivalDay.run(example.evaluated, circles: example.circles, until: until)
        #expect(Self.told(example, told) == example.expected.map { "\($0.place) \($0.type)" })
        for (told, expected) in zip(told, example.expected) {
            #expect((expected.at...(expected.at + 4_000)).contains(ArrivalDay.moment(told.second).milliseconds))
        }
    }

    @Test("repeats, another order within 3 s and a restart at any fix change nothing", arguments: Self.examples)
    func invariance(_ example: Example) {
        let until = Timestamp(milliseconds: example.until + 4_000)
        let fixes = example.evaluated
        let told = ArrivalDay.run(fixes, circles: example.circles, until: until)
        var random = DayRandom(seed: 7)
        for _ in 0..<4 {
            let mixed = fixes.flatMap { fix, arrival in
                let isTimely = arrival - fix.at <= ArrivalRule.lag
                let delay = Int64.random(in: 0...3, using: &random) * 1_000
                return Array(repeating: (fix: fix, arrival: isTimely ? fix.at + delay : arrival), count: 2)
            }
            #expect(ArrivalDay.run(mixed, circles: example.circles, until: until) == told)
        }
        for number in 1...fixes.count {
            let restarted = ArrivalDay.run(fixes, circles: example.circles, until: until, restarts: [number])
            #expect(restarted == told, "a restart after fix \(number)")
        }
    }
}
