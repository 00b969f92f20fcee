import MusterCore
import MusterStore
import MusterTestSupport
import MusterWire
import Postgres
import Testing

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
                try session.connectPatiently()
                defer { session.close() }
                try Migrator(directory: Store.migrations).migrate(session)
            }
            try await store.importPlaces(path, in: database)
            let pool = PostgresPool(PostgresPool.Configuration(connectionString: database))
            let directory = Directory(pool: pool)
            for text in ["Новосибирск", "Новосибрск", "Ноовсибирск", "новосибирск россия"] {
                let found = try await directory.geocode(Geocode(text)).results
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
                let code = await failure { () throws(DirectoryError) in
                    _ = try await store.directory.geocode(Geocode(text))
                }
                #expect(code == .badRequest(field: "q"))
            }
            let code = await failure { () throws(DirectoryError) in _ = try await store.directory.place("gn:1") }
            #expect(code == .notFound)
        }
    }

    @Test("when there is no time to look for mistakes, what is exact is found")
    func cutShort() async throws {
        try await Store.with { store in
            let (folder, path) = try Self.towns()
            defer { withExtendedLifetime(folder) {} }
            try await store.importPlaces(path)
            // A similarity that takes its time, found before pg_trgm's.
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
