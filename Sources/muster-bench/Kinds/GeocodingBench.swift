import Foundation
import MusterCommands
import MusterCore
import MusterServer
import MusterWire
import Postgres

/// `muster bench geocoding`: the effect of concurrent geocoding on the staleness of positions.
///
/// In each run the same phones move at the same rate twice: alone, and while clients send the queries of a file over
/// HTTP.
struct GeocodingBench: BenchKind {
    static let name = "geocoding"
    static let summary = "staleness of positions with and without place lookups"
    static let optionNames: Set<String> = [
        "sessions", "group", "rate", "seconds", "warm-up", "gateways", "places", "queries", "lookups",
    ]
    private static let connections = 4

    let sessions: Int
    let group: Int
    let plan: LoadPlan
    let gateways: Int
    let lookups: Double
    let file: PlaceFile
    let check: GeocodeCheck

    init(_ values: OptionValues) throws(UsageError) {
        self.group = try values.integer("group", in: 2...250)
        self.sessions = try values.integer("sessions", in: 2...100_000)
        self.plan = LoadPlan(
            rate: values.isGiven("rate") ? try values.number("rate", in: 1...1_000_000) : 1000,
            warmUp: try values.number("warm-up", in: 0...60),
            seconds: try values.number("seconds", in: 0.5...600)
        )
        self.gateways = try values.integer("gateways", in: 1...64)
        self.lookups = try values.number("lookups", in: 1...10_000)
        guard self.sessions.isMultiple(of: self.group) else {
            throw UsageError("--sessions must be a multiple of --group")
        }
        (self.file, self.check) = try PlacesBench.files(values)
    }

    var parameters: [(name: String, value: String)] {
        [
            ("sessions", String(self.sessions)), ("group", String(self.group)),
            ("fixes", "\(BenchFigure.plain(self.plan.rate))/s"), ("seconds", BenchFigure.plain(self.plan.seconds)),
            ("warm-up", BenchFigure.plain(self.plan.warmUp)), ("gateways", String(self.gateways)),
            ("look-ups", "\(BenchFigure.plain(self.lookups))/s"), ("places", self.file.source),
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
            context.progress.step("importing places")
            let (file, database) = (self.file, fixture.connectionString)
            try await BenchFixture.blocking { try PlacesBench.importPlaces(of: file, into: database) }
            let queries = try await self.check.queries(for: fixture.directory)
            guard !queries.isEmpty else { throw BenchError("no query of --queries matches the file of --places") }
            return try await fixture.withServer(context, sessions: self.sessions + 8, gateways: self.gateways) {
                server in
                try await BenchFixture.loading {
                    try self.measure(queries.map { Self.path(of: $0) }, population, server, fixture, context)
                }
            }
        }
    }

    /// Blocks.
    private func measure(
        _ queries: [String],
        _ population: BenchPopulation,
        _ server: ServerProcess,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> BenchOutcome {
        var outcome = BenchOutcome()
        var phones = BaselineMeasurement(population, plan: self.plan, server, fixture)
        try phones.enter(context)
        let seconds = self.plan.warmUp + self.plan.seconds
        let requests = PacedRequests(
            server: server.endpoint,
            tokens: population.people.map(\.token),
            paths: (0..<Int(self.lookups * seconds)).map { queries[$0 % queries.count] },
            seconds: seconds,
            connections: Self.connections
        )
        for number in 1...context.runs {
            context.progress.step("run \(number) of \(context.runs)")
            var lookups: [ThreadedWork<LatencyHistogram>] = []
            let runs = try phones.run(&outcome, context) { lookups = requests.start() }
            let delays = try lookups.map { try $0.value() }
            outcome.runs.append(
                runs.figures(alongside: "look-ups") + [
                    BenchFigure("lookups", "place lookups", Double(delays.reduce(0) { $0 + $1.count }), ""),
                    BenchFigure("lookup_p50_ms", "a lookup, p50", delays.map { $0.milliseconds(0.5) }.median, "ms"),
                    BenchFigure("lookup_p99_ms", "p99 of that", delays.map { $0.milliseconds(0.99) }.median, "ms"),
                ]
            )
        }
        return outcome
    }

    private static func path(of query: GeocodeCheck.Query) -> String {
        let text = query.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        guard let bias = query.bias else { return "/v1/geocode?q=\(text)" }
        return "/v1/geocode?q=\(text)&lat=\(bias.latitude)&lon=\(bias.longitude)"
    }
}
