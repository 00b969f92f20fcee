import MusterCommands
import MusterCore
import Scenario

/// `muster bench places-rule`: the rule for arrivals at places of groups.
///
/// Each user tells the ten places of one group, and drives past them. It measures the processor time from a fix to its
/// decision, and the memory for the states of users who are near a place.
struct PlacesRuleBench: BenchKind {
    static let name = "places-rule"
    static let summary = "a fix in the rule for arrivals, with ten places in each group"
    static let optionNames: Set<String> = ["sessions", "seconds"]

    private static let placesOfGroup = 10

    let people: Int
    let fixes: Int

    init(_ values: OptionValues) throws(UsageError) {
        self.people = values.isGiven("sessions") ? try values.integer("sessions", in: 1...1_000_000) : 10_000
        // A fix of each user every ten seconds of virtual time.
        self.fixes = values.isGiven("seconds") ? max(1, Int(try values.number("seconds", in: 10...100_000)) / 10) : 60
    }

    var parameters: [(name: String, value: String)] {
        [
            ("groups", String(self.people)), ("places", String(self.people * Self.placesOfGroup)),
            ("fixes of each user", String(self.fixes)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.blocking {
            var outcome = BenchOutcome()
            for number in 1...context.runs {
                context.progress.show("run \(number) of \(context.runs)")
                outcome.runs.append(try self.measure(seed: UInt64(number), context))
            }
            return outcome
        }
    }

    private func measure(seed: UInt64, _ context: BenchContext) throws(BenchError) -> [BenchFigure] {
        var random = SeededGenerator(seed: seed)
        var rules: [ArrivalRule] = []
        var homes: [Coordinate] = []
        rules.reserveCapacity(self.people)
        let begin = Timestamp(milliseconds: 1_764_000_000_000)
        for group in 1...self.people {
            let home = Coordinate(
                latitude: Double.random(in: -60...60, using: &random),
                longitude: Double.random(in: -170...170, using: &random)
            )
            let circles = (0..<Self.placesOfGroup).map { index in
                ArrivalGround.Circle(
                    place: GroupPlaceID(Int64(group * Self.placesOfGroup + index)),
                    centre: Coordinate(latitude: home.latitude, longitude: home.longitude + Double(index) * 0.02),
                    radius: 100
                )
            }
            var rule = ArrivalRule()
            let ground = ArrivalGround(group: GroupID(Int64(group)), circles: circles)
            rule.watch(ground, mask: 1 << UInt32(Self.placesOfGroup) - 1, since: begin, unknown: false)
            rules.append(rule)
            homes.append(home)
        }
        var nanoseconds: Int64 = 0
        var events: [ArrivalEvent] = []
        var near = 0
        for step in 0..<self.fixes {
            try context.checkStop()
            let at = begin + Int64(step) * 10_000
            let usage = ProcessUsage.threadNanoseconds
            for index in rules.indices {
                let position = Coordinate(
                    latitude: homes[index].latitude + 0.0002,
                    longitude: homes[index].longitude + Double(step) * 0.0013
                )
                let fix = ArrivalFix(
                    device: DeviceID(Int64(index + 1)),
                    at: at,
                    receivedAt: at + 500,
                    coordinate: position,
                    accuracy: 10,
                    standing: .timely,
                    isPing: false
                )
                rules[index].accept(fix)
                rules[index].advance(to: at + ArrivalRule.lag, into: &events)
            }
            nanoseconds += ProcessUsage.threadNanoseconds - usage
            near = max(near, rules.reduce(0) { $0 + $1.standings.count })
        }
        let count = Double(self.people * self.fixes)
        return [
            BenchFigure("fix_us", "CPU time per fix", Double(nanoseconds) / 1_000 / count, "µs"),
            BenchFigure("near", "states of users near a place, at most", Double(near), ""),
            BenchFigure(
                "near_bytes",
                "memory of such a state",
                Double(MemoryLayout<ArrivalStanding>.stride),
                "bytes"
            ),
            BenchFigure("events", "arrivals and departures", Double(events.count), ""),
        ]
    }
}
