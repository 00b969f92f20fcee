import MusterCommands
import MusterCore

/// `muster bench maps`: the effect of loading a large map and reading its tiles on the staleness of positions.
///
/// In each run the same phones move at the same rate twice: with an empty map, and while the server loads all spots and
/// clients request tiles that were not requested before.
struct MapsBench: BenchKind {
    static let name = "maps"
    static let summary =
        "staleness of positions with and without loading a large map and reading its tiles"
    static let optionNames: Set<String> = ["sessions", "group", "rate", "seconds", "warm-up", "gateways", "points"]

    let sessions: Int
    let group: Int
    let plan: LoadPlan
    let gateways: Int
    let points: Int

    init(_ values: OptionValues) throws(UsageError) {
        self.group = try values.integer("group", in: 2...250)
        self.sessions = try values.integer("sessions", in: 2...100_000)
        self.plan = LoadPlan(
            rate: try values.number("rate", in: 1...1_000_000),
            warmUp: values.isGiven("warm-up") ? try values.number("warm-up", in: 0...60) : 1,
            // About the time for loading a million spots.
            seconds: values.isGiven("seconds") ? try values.number("seconds", in: 0.5...600) : 5
        )
        self.gateways = try values.integer("gateways", in: 1...64)
        self.points = try values.integer("points", in: 1000...5_000_000)
        guard self.sessions.isMultiple(of: self.group) else {
            throw UsageError("--sessions must be a multiple of --group")
        }
    }

    var parameters: [(name: String, value: String)] {
        [
            ("sessions", String(self.sessions)), ("group", String(self.group)),
            ("fixes", "\(BenchFigure.plain(self.plan.rate))/s"), ("seconds", BenchFigure.plain(self.plan.seconds)),
            ("warm-up", BenchFigure.plain(self.plan.warmUp)), ("gateways", String(self.gateways)),
            ("spots", String(self.points)), ("tiles", String(MapsMeasurement.tiles)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            let population = try await BenchPopulation.make(
                self.sessions,
                groupSize: self.group,
                in: fixture.directory,
                context
            )
            return try await fixture.withServer(context, sessions: self.sessions + 1, gateways: self.gateways) {
                server in
                var outcome = try await BenchFixture.loading {
                    var measurement = MapsMeasurement(self, population, server, fixture)
                    return try measurement.run(context)
                }
                outcome.notes += fixture.serverWarnings.map { "server: \($0)" }
                return outcome
            }
        }
    }
}
