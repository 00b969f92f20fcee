import EventLoop
import MusterCommands
import MusterCore
import MusterServer
import MusterWire

/// `muster bench watches`: the cost of wearables in comparison with full clients of the same moving groups.
///
/// In each run the same phones move at the same rate: alone, with full clients, and with wearables. The additional
/// server time, compared with the phones alone, is the cost of the other clients. `--each` multiplies the wearables and
/// the full clients, so that their cost exceeds the variation of the phones' cost. There are a tenth as many full
/// clients as wearables. In each group six of ten members cycle together past spots, with 10 m between two fixes. So
/// most glances change noticeably within ten seconds.
struct WatchesBench: BenchKind {
    static let name = "watches"
    static let summary = "cost of watch sessions, against full clients of the same groups, while all users move"
    static let optionNames: Set<String> = ["sessions", "group", "rate", "seconds", "warm-up", "gateways", "each"]
    /// The number of spots on the path of each group.
    private static let spotsPerGroup = 5

    let people: Int
    let group: Int
    let rate: Double
    let seconds: Double
    let warmUp: Double
    let gateways: Int
    /// The number of wearables per user, and of full clients per group.
    let each: Int

    init(_ values: OptionValues) throws(UsageError) {
        self.group = try values.integer("group", in: 2...250)
        self.people = try values.integer("sessions", in: 2...100_000)
        // One fix per second for each user.
        self.rate = values.isGiven("rate") ? try values.number("rate", in: 1...1_000_000) : Double(self.people)
        self.seconds = values.isGiven("seconds") ? try values.number("seconds", in: 0.5...600) : 25
        self.warmUp = try values.number("warm-up", in: 0...60)
        self.gateways = try values.integer("gateways", in: 1...64)
        self.each = try values.integer("each", in: 1...100)
        guard self.each <= self.group else { throw UsageError("--each must be at most --group") }
        guard self.people.isMultiple(of: self.group) else {
            throw UsageError("--sessions must be a multiple of --group")
        }
    }

    var parameters: [(name: String, value: String)] {
        [
            ("watches", String(self.people * self.each)),
            ("full clients", String(self.people / self.group * self.each)),
            ("phones", String(self.people)), ("group", String(self.group)),
            ("fixes", "\(BenchFigure.plain(self.rate))/s"), ("seconds", BenchFigure.plain(self.seconds)),
            ("warm-up", BenchFigure.plain(self.warmUp)), ("gateways", String(self.gateways)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            // Without a dwell, gatherings begin at once and not after the default three minutes.
            let population = try await BenchPopulation.make(
                self.people,
                groupSize: self.group,
                settings: GroupSettingsPatch(dwell: 0),
                in: fixture.directory,
                context
            )
            try await self.addSpots(for: population, in: fixture.directory)
            return try await fixture.withServer(
                context,
                sessions: (1 + self.each) * self.people,
                gateways: self.gateways
            ) { server in
                try await BenchFixture.loading {
                    var measurement = WatchesMeasurement(self, population, server, fixture)
                    return try measurement.run(context)
                }
            }
        }
    }

    private func addSpots(for population: BenchPopulation, in directory: Directory) async throws {
        for group in population.groups.indices {
            for number in 0..<Self.spotsPerGroup {
                let place = FixPlace(.together, group: group, member: 0, number: Int64(number * 80))
                let draft = SpotAdd(
                    at: place.coordinate,
                    comment: "Spot \(number)\nA bench under the tree, out of the wind."
                )
                _ = try await directory.addSpot(draft, by: population.people[group * self.group].user)
            }
        }
    }
}
