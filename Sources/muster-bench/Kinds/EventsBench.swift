import MusterCommands
import MusterCore
import Postgres

/// `muster bench events`: the cost of event changes for a server with many subscriptions to areas of the map.
///
/// Each subscription covers a box with one event; `--each` subscriptions share a box. Each run changes events twice.
/// First the hosts send requests, at a tenth of the rate. Then another process writes to the database at the full rate,
/// as a second node or an operator does. The server receives these changes by the change feed. The server's entire
/// processor time counts, until the last subscription is notified.
struct EventsBench: BenchKind {
    static let name = "events"
    static let summary = "event changes at a rate, sent to sessions that watch the area"
    static let optionNames: Set<String> = ["sessions", "rate", "seconds", "warm-up", "gateways", "each"]

    /// The burst limit of a host's changes to one event.
    private static let requestsPerEvent = 20.0
    /// The number of events that one statement creates.
    private static let chunk = 5_000

    /// The number of subscriptions.
    let watches: Int
    let plan: LoadPlan
    let gateways: Int
    /// The number of subscriptions per event.
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
            throw UsageError("a host may change an event 20 times per hour: reduce --seconds, --rate or --runs")
        }
    }

    /// The number of events.
    var events: Int { self.watches / self.each }

    var parameters: [(name: String, value: String)] {
        [
            ("watches", String(self.watches)), ("events", String(self.events)),
            ("changes", "\(BenchFigure.plain(self.plan.rate))/s"), ("seconds", BenchFigure.plain(self.plan.seconds)),
            ("gateways", String(self.gateways)),
        ]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            let population = try await BenchPopulation.make(self.watches, groupSize: 0, in: fixture.directory, context)
            try await BenchFixture.blocking { try self.addEvents(of: population, fixture) }
            return try await fixture.withServer(context, sessions: self.watches, gateways: self.gateways) { server in
                var outcome = try await BenchFixture.loading {
                    var measurement = EventsMeasurement(self, population, server, fixture)
                    return try measurement.run(context)
                }
                outcome.notes += fixture.serverWarnings.map { "server: \($0)" }
                return outcome
            }
        }
    }

    /// The position of an event; no other subscription's box contains it.
    func place(of event: Int) -> Coordinate {
        Coordinate(latitude: Double(event / 400) * 0.4 - 60, longitude: Double(event % 400) * 0.8 - 160)
    }

    /// Creates an event for each box, with its number as its id, for tomorrow, hosted by the box's first user.
    private func addEvents(of population: BenchPopulation, _ fixture: BenchFixture) throws {
        let session = PostgresSession(connectionString: fixture.connectionString, timeout: .seconds(300))
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
