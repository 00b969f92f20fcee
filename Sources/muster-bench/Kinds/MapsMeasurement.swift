import EventLoop
import MusterCore
import Postgres

/// Measures moving phones while a map is loaded and read.
struct MapsMeasurement {
    /// The number of tiles that are read while the map is loaded.
    static let tiles = 1000

    private static let chunk = 50_000

    private let bench: MapsBench
    private let population: BenchPopulation
    private let server: ServerProcess
    private let database: PostgresSession
    private var crowd: TilesCrowd
    private var phones: BaselineMeasurement
    private var outcome = BenchOutcome()

    /// Creates the phones; none is connected yet.
    init(_ bench: MapsBench, _ population: BenchPopulation, _ server: ServerProcess, _ fixture: BenchFixture) {
        self.bench = bench
        self.population = population
        self.server = server
        self.database = PostgresSession(connectionString: fixture.connectionString, timeout: .seconds(300))
        self.crowd = TilesCrowd(points: bench.points, seed: 1)
        self.phones = BaselineMeasurement(population, plan: bench.plan, server, fixture)
    }

    /// Measures as many runs as the context requests.
    ///
    /// Blocks.
    mutating func run(_ context: BenchContext) throws -> BenchOutcome {
        try self.database.connect()
        defer { self.database.close() }
        try self.phones.enter(context)
        for number in 1...context.runs {
            context.progress.step("run \(number) of \(context.runs)")
            // The server sees these rows only when it reloads all spots.
            try self.fill(context)
            try self.measure(number, context)
            context.progress.show("emptying the map")
            try self.database.execute("TRUNCATE muster.spot CASCADE")
            try Self.reload(self.database)
            try ClusterPoints(self.server.endpoint).wait(for: 0, context)
        }
        return self.outcome
    }

    private mutating func measure(_ number: Int, _ context: BenchContext) throws {
        let requests = PacedRequests(
            server: self.server.endpoint,
            tokens: self.population.people.map(\.token),
            paths: self.drawTiles().map { "/v1/tiles/spots/\($0.zoom)/\($0.x)/\($0.y).json" },
            seconds: self.bench.plan.seconds,
            connections: 1
        )
        let (endpoint, points, database) = (self.server.endpoint, self.bench.points, self.database)
        var load: ThreadedWork<Double>?
        var reading: [ThreadedWork<LatencyHistogram>] = []
        let runs = try self.phones.run(&self.outcome, context) {
            try Self.reload(database)
            load = ThreadedWork(name: "map") {
                let start = MonotonicClock.system.nanoseconds
                try ClusterPoints(endpoint).wait(for: points)
                return Double(MonotonicClock.system.nanoseconds - start) / 1e9
            }
            reading = requests.start()
        }
        let (loaded, answers) = (try load?.value() ?? .nan, try reading.map { try $0.value() })
        if loaded > self.bench.plan.warmUp + self.bench.plan.seconds {
            self.outcome.notes.append("run \(number): the map was still loading when the phones stopped")
        }
        self.outcome.runs.append(
            runs.figures(alongside: "map loading") + [
                BenchFigure("load_seconds", "time until all spots are on the map", loaded, "s"),
                BenchFigure("tiles_read", "tiles read during it", Double(answers.reduce(0) { $0 + $1.count }), ""),
                BenchFigure("tile_p99_ms", "a tile p99", answers.first?.milliseconds(0.99) ?? .nan, "ms"),
            ]
        )
    }

    /// The tiles of many clients' viewports.
    private mutating func drawTiles() -> [TileAddress] {
        var tiles: Set<TileAddress> = []
        while tiles.count < Self.tiles { tiles.formUnion(self.crowd.subscribedTiles()) }
        return Array(tiles.shuffled().prefix(Self.tiles))
    }

    private func fill(_ context: BenchContext) throws {
        let author = self.population.people[0].user
        for start in stride(from: 0, to: self.bench.points, by: Self.chunk) {
            try context.checkStop()
            context.progress.show("adding spots", start, of: self.bench.points)
            let places = self.crowd.places[start..<min(start + Self.chunk, self.bench.points)].map(\.coordinate)
            try self.database.execute(
                """
                INSERT INTO muster.spot (id, author_id, lat, lon, comment, created_at)
                SELECT $1 + n, $2, lat, lon, 'Spot ' || n, now()
                FROM unnest($3::float8[], $4::float8[]) WITH ORDINALITY AS new (lat, lon, n)
                """,
                [
                    .int64(Int64(start)), .int64(author.rawValue), .float8Array(places.map(\.latitude)),
                    .float8Array(places.map(\.longitude)),
                ]
            )
        }
        // Deferred writes of the inserts must not count as a cost of the map.
        for statement in ["VACUUM ANALYZE muster.spot", "CHECKPOINT"] { try self.database.execute(statement) }
    }

    /// Forces the server to reload all spots, as it does after the journal has lost its connection.
    private static func reload(_ database: PostgresSession) throws {
        try database.execute(
            """
            SELECT pg_terminate_backend(pid) AS ended FROM pg_locks
            WHERE locktype = 'advisory' AND classid = 1836413812 AND objid = 1 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        )
    }
}
