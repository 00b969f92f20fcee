import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("Looking places up", .blocking)
struct GeocodingTests {
    private static func towns() throws -> (folder: PlaceFolder, path: String) {
        let folder = try PlaceFolder()
        let text =
            geoNamesLine(
                1,
                "Москва",
                others: ["Moscow"],
                at: 55.75,
                37.6,
                country: "RU",
                state: "48",
                people: 10_000_000,
                code: "PPLC"
            )
            + geoNamesLine(2, "Новосибирск", at: 55, 82.9, country: "RU", state: "53", people: 1_400_000)
            + geoNamesLine(3, "Springfield", at: 37.2, -93.3, country: "US", state: "MO", people: 160_000)
            + geoNamesLine(4, "Springfield", at: 39.8, -89.6, country: "US", state: "IL", people: 116_000)
            + geoNamesLine(5, "Springe", at: 52.2, 9.55, country: "DE", state: "06", people: 30_000)
            + geoNamesLine(6, "100%_\\", at: 1, 1, country: "DE", state: "06", people: 1)
        return (folder, try folder.write("towns.txt", text))
    }

    @Test("Cyrillic typos are found in a database of the locale C")
    func localeC() async throws {
        try await Store.with { store in
            let (folder, path) = try Self.towns()
            defer { withExtendedLifetime(folder) {} }
            let cluster = try await ThrowawayCluster.shared()
            let database = try await cluster.makeDatabase(locale: "C")
            try await onWorkerThread {
                let session = PostgresSession(connectionString: database, timeout: .seconds(120))
                try session.connectWithRetries()
                defer { session.close() }
                try Migrator(directory: Store.migrations).migrate(session)
            }
            try await store.importPlaces(path, in: database)
            let pool = PostgresPool(PostgresPool.Configuration(connectionString: database))
            let directory = Directory(pool: pool)
            for text in ["Новосибирск", "Новосибрск", "Ноовсибирск", "новосибирск россия"] {
                let found = try await directory.search(Geocode(text)).results
                #expect(found.first?.place.id == "gn:2", "\(text)")
            }
            await pool.close()
        }
    }

    @Test("the last word may be a beginning")
    func completion() async throws {
        try await Store.with { store in
            let (folder, path) = try Self.towns()
            defer { withExtendedLifetime(folder) {} }
            try await store.importPlaces(path)
            #expect(try await store.labels("spr", completes: true).count == 3)
            #expect(try await store.labels("springfield ill", completes: true).first?.contains("Illinois") == true)
            #expect(try await store.labels("sp", completes: true).isEmpty, "two letters begin nothing")
            #expect(try await store.labels("spr").isEmpty)
            #expect(try await store.labels("mosc", completes: true).first?.hasPrefix("Москва") == true)
        }
    }

    @Test("areas are known by three capitals, towns not")
    func codes() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            let text =
                geoNamesLine(1, "Birmingham", at: 52.5, -1.9, country: "GB", state: "ENG", people: 1_000_000)
                + geoNamesLine(
                    2,
                    "Birmingham",
                    others: ["BHM"],
                    at: 33.5,
                    -86.8,
                    country: "US",
                    state: "AL",
                    people: 212_000
                )
                + geoNamesLine(3, "Sydney", others: ["SYD"], at: -33.9, 151.2, country: "AU", state: "02")
                + geoNamesLine(4, "Newcastle", at: -27.8, 29.9, country: "ZA", state: "02", people: 400_000)
                + geoNamesLine(5, "Newcastle", at: -32.9, 151.8, country: "AU", state: "02", people: 300_000)
                + geoNamesLine(6, "Dubai", at: 25.3, 55.3, country: "AE", state: "03", people: 1_100_000)
            let path = try folder.write("towns.txt", text)
            defer { withExtendedLifetime(folder) {} }
            try await store.importPlaces(path)
            for (query, id) in [
                ("Birmingham USA", 2), ("Birmingham, UK", 1), ("Sydney NSW", 3), ("newcastle nsw", 5), ("Dubai UAE", 6),
            ] {
                let first = try #require(try await store.directory.search(Geocode(query)).results.first)
                #expect(first.place.id == "gn:\(id)", "\(query)")
                #expect(first.match.kind == .exact, "\(query)")
            }
            #expect(try await store.labels("BHM").isEmpty)
            #expect(try await store.directory.search(Geocode("USA")).results.first?.place.type == .country)
        }
    }

    @Test("the city nearest to a point is found by an index of cities alone")
    func nearestCity() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            defer { withExtendedLifetime(folder) {} }
            try await store.importPlaces("\(AreaTable.installedFolder)/cities15000.txt", installed: true)
            let streets = (0..<3_000).map { number in
                let point = "[\(24.9 + Double(number % 60) * 0.001),\(60.15 + Double(number / 60) * 0.001)]"
                return #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(point)},"#
                    + #""properties":{"name":"Way \#(number)","highway":"residential"}}"#
            }
            try await store.importPlaces(try folder.write("ways.geojsonl", streets.joined(separator: "\n")))
            let point = Coordinate(latitude: 60.17, longitude: 24.93)
            let statement = GeocodeStatements.nearestCity(to: point)
            let rows = try await store.pool.query("EXPLAIN " + statement.sql, statement.parameters)
            let plan = try rows.map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
            let parts = try await store.pool.query(
                "SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = 'muster.place'::regclass"
            ).map { try $0.text("part") }
            #expect(parts.count == 2)
            for part in parts {
                let index = "place_city_\(part.split(separator: "_").last ?? "")"
                #expect(plan.contains("Index Scan using \(index) "), "\(index) is not in\n\(plan)")
            }
            #expect(try await store.directory.place(at: point, isCoarse: true)?.place.name == "Helsinki")
        }
    }

    @Test("where one is decides")
    func bias() async throws {
        try await Store.with { store in
            let (folder, path) = try Self.towns()
            defer { withExtendedLifetime(folder) {} }
            try await store.importPlaces(path)
            let illinois = Coordinate(latitude: 40, longitude: -89)
            #expect(try await store.labels("Springfield").first?.contains("Missouri") == true)
            #expect(try await store.labels("Springfield", near: illinois).first?.contains("Illinois") == true)
        }
    }

    @Test("no text does harm")
    func harmless() async throws {
        let texts = [
            " ", "%_\\", "'; DROP TABLE muster.place; --", String(repeating: "\u{301}", count: 200), "0123456789",
            "\u{202E}\u{200F}\u{061C}", String(repeating: "a ", count: 100), String(repeating: "🜁", count: 200),
            String(repeating: "9", count: 200), "\u{FFFD}\u{0001}\u{0007}", String(repeating: "abcd ", count: 40),
            ",,,,,",
            "....", String(repeating: "x", count: 200),
        ]
        try await Store.with { store in
            let (folder, path) = try Self.towns()
            defer { withExtendedLifetime(folder) {} }
            try await store.importPlaces(path)
            for text in texts {
                #expect(try await store.labels(text).isEmpty, "\(text)")
                #expect(try await store.labels(text, completes: true).isEmpty, "\(text)")
            }
            #expect(try await store.labels("Moscow").first == "Москва, Moscow, Russia", "and all is still there")
        }
    }

    @Test("only the length of a text is refused")
    func length() async throws {
        try await Store.with { store in
            for text in ["", String(repeating: "a", count: 201)] {
                let code = await failure {
                    _ = try await store.directory.geocode(Geocode(text))
                }
                #expect(code == .badRequest(field: "q"))
            }
            let code = await failure { _ = try await store.directory.place("gn:1") }
            #expect(code == .notFound)
        }
    }

    @Test("when there is no time to look for mistakes, what is exact is found")
    func cutShort() async throws {
        try await Store.with { store in
            let (folder, path) = try Self.towns()
            defer { withExtendedLifetime(folder) {} }
            try await store.importPlaces(path)
            // A slow similarity function that shadows the one of pg_trgm.
            try await store.pool.query(
                """
                CREATE FUNCTION muster.similarity(text, text) RETURNS real LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_sleep(20); RETURN 1; END $$
                """
            )
            try await store.pool.query("ALTER DATABASE \(try await Self.name(store)) SET search_path = muster, public")
            let slow = PostgresPool(PostgresPool.Configuration(connectionString: store.connectionString))
            let directory = Directory(pool: slow)
            let answer = try await directory.geocode(Geocode("Moscow Sprngfield Springe"))
            #expect(answer.isCutShort)
            #expect(answer.results.first?.place.id == "gn:1")
            await slow.close()
        }
    }

    private static func name(_ store: Store) async throws -> String {
        try await store.pool.query("SELECT current_database()::text AS name")[0].text("name")
    }
}
