import EventLoop
import Foundation
import MusterCommands
import MusterCore
import MusterServer
import MusterWire
import Postgres

/// `muster bench places`: importing 235,000 places, searching them, and planning.
///
/// The baselines are the simplest equivalent operations of PostgreSQL and, for planning, the computation of distances.
struct PlacesBench: BenchKind {
    static let name = "places"
    static let summary = "import and lookup of places, against COPY, similarity and LIKE; plans over places"
    static let optionNames: Set<String> = ["places", "queries", "places-url"]

    let file: PlaceFile
    let check: GeocodeCheck
    /// The URL of a provider of places.
    private let provider: String?

    init(_ values: OptionValues) throws(UsageError) {
        (self.file, self.check) = try Self.files(values)
        self.provider = values.text("places-url")
    }

    /// The places and the queries of the options.
    static func files(_ values: OptionValues) throws(UsageError) -> (PlaceFile, GeocodeCheck) {
        let path = values.text("places") ?? ""
        let files: (PlaceFile, GeocodeCheck)
        do {
            files = (try PlaceFile(path: path), try GeocodeCheck(path: values.text("queries") ?? ""))
        } catch {
            throw UsageError("\(error)")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw UsageError("no places in '\(path)'; scripts/setup --test creates the file")
        }
        return files
    }

    var parameters: [(name: String, value: String)] {
        [("places", self.file.source), ("queries", String(self.check.queries.count))]
            + (self.provider == nil ? [] : [("provider", "Overpass")])
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        var outcome = BenchOutcome()
        for number in 1...context.runs {
            let figures = try await BenchFixture.with(context) { fixture in
                context.progress.step("run \(number) of \(context.runs): importing")
                let database = fixture.connectionString
                let file = self.file
                let imports = try await BenchFixture.blocking { try Self.measureImport(of: file, database) }
                context.progress.step("run \(number) of \(context.runs): looking up")
                var figures = try await imports + self.measureGeocoding(fixture.directory, context)
                figures += try await self.measureCompletion(fixture, context) + Self.measurePlans()
                guard let provider = self.provider else { return figures }
                context.progress.step("run \(number) of \(context.runs): requesting plans from a provider")
                return try await figures + self.measureProvider(provider, fixture, context)
            }
            outcome.runs.append(figures)
        }
        outcome.notes.append(
            "similarity: one indexed query for the most similar names with their places"
        )
        outcome.notes.append("plain COPY: the same rows of both tables without checks, then the same indexes")
        return outcome
    }

    /// Imports the installed cities and the file, and then copies the same rows with plain COPY.
    private static func measureImport(of file: PlaceFile, _ database: String) throws -> [BenchFigure] {
        let clock = MonotonicClock.system
        let session = PostgresSession(connectionString: database, timeout: .seconds(3600))
        try session.connect()
        defer { session.close() }
        if let installed = PlaceFile.installed(in: AreaTable.installedFolder) {
            _ = try Self.importPlaces(of: installed, session)
        }
        let memory = ProcessUsage.residentBytes(of: getpid())
        let start = clock.nanoseconds
        let report = try Self.importPlaces(of: file, session)
        let took = Double(clock.nanoseconds - start) / 1e9
        let grown = Double(ProcessUsage.residentBytes(of: getpid()) - memory) / 1e6
        let plain = try Self.copyPlainly(report.source, session)
        return [
            BenchFigure("places", "places", Double(report.places), ""),
            BenchFigure("names", "names of these places", Double(report.names), ""),
            BenchFigure("import_s", "import", took, "s"),
            BenchFigure("copy_s", "plain COPY of the rows, and their indexes", plain, "s"),
            BenchFigure("import_ratio", "import to plain COPY", took / plain, "×"),
            BenchFigure("import_memory_mb", "memory of the import", grown, "MB"),
        ]
    }

    /// Imports a file, like `muster import places`.
    static func importPlaces(of file: PlaceFile, into database: String) throws {
        let session = PostgresSession(connectionString: database, timeout: .seconds(3600))
        try session.connect()
        defer { session.close() }
        _ = try Self.importPlaces(of: file, session)
    }

    private static func importPlaces(of file: PlaceFile, _ session: PostgresSession) throws -> PlaceImport.Report {
        var work = PlaceImport(file, into: session, folders: [AreaTable.installedFolder])
        return try work.run(at: Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds))
    }

    /// The time in seconds for COPY of a source's rows from files into bare tables, and for creating the indexes.
    private static func copyPlainly(_ source: String, _ session: PostgresSession) throws -> Double {
        let clock = MonotonicClock.system
        let found = try session.execute("SELECT partition FROM muster.gazetteer WHERE source = $1", [.text(source)])
        let partition = try found.first?.int32("partition") ?? 0
        let folder = "/tmp/muster-bench-copy-\(getpid())"
        try session.executeScript("CREATE SCHEMA plain")
        defer { try? session.executeScript("DROP SCHEMA plain CASCADE") }
        var seconds = 0.0
        for table in ["place", "place_name"] {
            try session.executeScript("COPY muster.\(table)_\(partition) TO '\(folder)-\(table)' (FORMAT binary)")
            try session.executeScript("CREATE TABLE plain.\(table) (LIKE muster.\(table))")
            let start = clock.nanoseconds
            try session.executeScript("COPY plain.\(table) FROM '\(folder)-\(table)' (FORMAT binary)")
            let indexes = try session.execute(
                """
                SELECT replace(pg_get_indexdef(indexrelid), 'ON ONLY muster.', 'ON plain.') AS definition
                FROM pg_index WHERE indrelid = ('muster.' || $1)::regclass
                """,
                [.text(table)]
            )
            for index in indexes { try session.executeScript(try index.text("definition")) }
            seconds += Double(clock.nanoseconds - start) / 1e9
            // The file belongs to PostgreSQL's user. The query returns no rows, because the program reads no input.
            try session.executeScript("COPY (SELECT WHERE false) TO PROGRAM 'rm -f \(folder)-\(table)'")
        }
        return seconds
    }

    private func measureGeocoding(_ directory: Directory, _ context: BenchContext) async throws -> [BenchFigure] {
        var own: [Double] = []
        var plain: [Double] = []
        var passed = 0
        let queries = try await self.check.queries(for: directory)
        // The first round fills the caches and is not counted.
        for round in 0...2 {
            for query in queries {
                try context.checkStop()
                let start = MonotonicClock.system.nanoseconds
                let answer = try await directory.geocode(Geocode(query.text, near: query.bias))
                let middle = MonotonicClock.system.nanoseconds
                _ = try await directory.placesBySimilarity(query.text, limit: 5)
                let end = MonotonicClock.system.nanoseconds
                guard round > 0 else {
                    passed += query.isPassed(by: answer.results.map(\.place.coordinate)) ? 1 : 0
                    continue
                }
                own.append(Double(middle - start) / 1e6)
                plain.append(Double(end - middle) / 1e6)
            }
        }
        func share(_ values: [Double], _ part: Double) -> Double {
            values.isEmpty ? .nan : values.sorted()[Int(Double(values.count - 1) * part)]
        }
        return [
            BenchFigure("geocode_passed", "queries that pass", Double(passed), ""),
            BenchFigure("geocode_p50_ms", "geocoding, p50", share(own, 0.5), "ms"),
            BenchFigure("similarity_p50_ms", "similarity, p50", share(plain, 0.5), "ms"),
            BenchFigure("geocode_p50_ratio", "geocoding to similarity, p50", share(own, 0.5) / share(plain, 0.5), "×"),
            BenchFigure("geocode_p95_ms", "geocoding, p95", share(own, 0.95), "ms"),
            BenchFigure("similarity_p95_ms", "similarity, p95", share(plain, 0.95), "ms"),
            BenchFigure(
                "geocode_p95_ratio",
                "geocoding to similarity, p95",
                share(own, 0.95) / share(plain, 0.95),
                "×"
            ),
        ]
    }

    private func measureCompletion(_ fixture: BenchFixture, _ context: BenchContext) async throws -> [BenchFigure] {
        let beginnings = Set(
            self.check.queries.compactMap { query -> String? in
                let beginning = PlaceKey.key(query.text).prefix(3)
                return beginning.utf8.count == 3 && !beginning.contains(" ") ? String(beginning) : nil
            }
        ).sorted()
        let plain = """
            SELECT p.id, p.name, p.lat, p.lon FROM muster.place_name n
            JOIN muster.place p ON p.id = n.place AND p.source = n.source
            WHERE n.key LIKE $1 ORDER BY n.importance DESC LIMIT 5
            """
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: fixture.connectionString))
        var own: [Double] = []
        var others: [Double] = []
        do {
            for round in 0...2 {
                for beginning in beginnings {
                    try context.checkStop()
                    let start = MonotonicClock.system.nanoseconds
                    _ = try await fixture.directory.geocode(Geocode(beginning, completes: true))
                    let middle = MonotonicClock.system.nanoseconds
                    _ = try await pool.query(plain, [.text("\(beginning)%")])
                    let end = MonotonicClock.system.nanoseconds
                    guard round > 0 else { continue }
                    own.append(Double(middle - start) / 1e6)
                    others.append(Double(end - middle) / 1e6)
                }
            }
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
        return [
            BenchFigure("completion_ms", "completion after three letters, median", own.median, "ms"),
            BenchFigure("like_ms", "LIKE with a sort, median", others.median, "ms"),
            BenchFigure("completion_ratio", "completion to LIKE", own.median / others.median, "×"),
        ]
    }
}
