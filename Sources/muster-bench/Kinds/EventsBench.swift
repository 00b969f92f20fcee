import MusterCommands
import MusterCore
import Postgres

/// `muster bench events`: what changes of events cost a server at which many watch for events, each where they look.
///
/// Each of so many watches is a box of its own, or shared by `--each`, in which one event lies. In each run events are changed
/// twice: at a tenth of the rate by their hosts' requests, and at the whole rate by another process that writes to the database,
/// as a second node or an operator does, so that the server hears of it by the change feed. All of the server's time counts,
/// until the last watch was told.
struct EventsBench: BenchKind {
    static let name = "events"
    static let summary = "changes of events at a rate, heard by those who watch where they are"
    static let optionNames: Set<String> = ["sessions", "rate", "seconds", "warm-up", "gateways", "each"]

    /// Changes of one event that a server takes from its host at once.
    private static let requestsPerEvent = 20.0
    /// Events that are made by one statement.
    private static let chunk = 5_000

    /// How many watch.
    let watches: Int
    let plan: LoadPlan
    let gateways: Int
    /// How many watch where one event is.
    let each: Int

    init(_ values: OptionValues) throws(UsageError) {
        self.watches = values.isGiven("sessions") ? try values.integer("sessions", in: 1...100_000) : 10_000
        self.plan = LoadPlan(
            rate: values.isGiven("rate") ? try values.number("rate", in: 1...100_000) : 1_000,
            warmUp: try values.number("warm-up", in: 0...60),
            seconds: values.isGiven("seconds") ? try values.number("seconds", in: 0.5...600) : 5
        )
        self.gateways = try values.integer("gateways", in: 1...64)
        self.each = values.isGiven("each") ? try values.integer("each", in: 1...1_000) : 1
        guard self.watches.isMultiple(of: self.each) else {
            throw UsageError("--sessions must be a multiple of --each")
        }
        let changes = self.plan.rate * self.plan.seconds * Double(try values.integer("runs", in: 1...100))
        guard changes / Double(self.events) < Self.requestsPerEvent else {
            throw UsageError("a host may change an event 20 times an hour: fewer --seconds, --rate or --runs")
        }
    }

    /// How many events there are.
    var events: Int { self.watches / self.each }

    var parameters: [(name: String, value: String)] {
        [
            ("watches", String(self.watches)), ("events", String(self.events)),
            ("changes", "\(BenchFigure.plain(self.plan.rate))/s"), ("seconds", BenchFigure.plain(self.plan.seconds)),
            ("gateways", String(self.gateways)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchStage.with(context) { stage in
            let population = try await BenchPopulation.make(self.watches, groupSize: 0, in: stage.directory, context)
            try await BenchStage.blocking { try self.addEvents(of: population, stage) }
            return try await stage.withServer(context, sessions: self.watches, gateways: self.gateways) { server in
                var outcome = try await BenchStage.loading {
                    var measurement = EventsMeasurement(self, population, server, stage)
                    return try measurement.run(context)
                }
                outcome.notes += stage.serverWarnings.map { "server: \($0)" }
                return outcome
            }
        }
    }

    /// Where an event lies; no box of another's watch holds it.
    func place(of event: Int) -> Coordinate {
        Coordinate(latitude: Double(event / 400) * 0.4 - 60, longitude: Double(event % 400) * 0.8 - 160)
    }

    /// Makes an event of tomorrow for each place, whose number is its id, and whose host is the first who watches there.
    private func addEvents(of population: BenchPopulation, _ stage: BenchStage) throws {
        let session = PostgresSession(connectionString: stage.connectionString, timeout: .seconds(300))
        try session.connect()
        defer { session.close() }
        for start in stride(from: 0, to: self.events, by: Self.chunk) {
            let numbers = start..<min(start + Self.chunk, self.events)
            try session.execute(
                """
                INSERT INTO muster.event (id, host_id, title, text, lat, lon, starts_at, ends_at, tz, created_at, changed_at)
                SELECT x.id, x.host_id, 'Before', 'Bring your own shoes, and somebody who belays.', x.lat, x.lon,
                    now() + interval '1 day', now() + interval '1 day 2 hours', 'Europe/Vienna', now(), now()
                FROM unnest($1::bigint[], $2::bigint[], $3::float8[], $4::float8[]) AS x(id, host_id, lat, lon)
                """,
                [
                    .int64Array(numbers.map { Int64($0 + 1) }),
                    .int64Array(numbers.map { population.people[$0 * self.each].user.rawValue }),
                    .float8Array(numbers.map { self.place(of: $0).latitude }),
                    .float8Array(numbers.map { self.place(of: $0).longitude }),
                ]
            )
        }
    }
}
