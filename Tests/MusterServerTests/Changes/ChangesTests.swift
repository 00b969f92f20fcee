import EventLoop
import Foundation
import MusterTestSupport
import Postgres
import Synchronization
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("Changes behind the server's back", .blocking)
struct ChangesTests {
    private static let place = Coordinate(latitude: 48.2, longitude: 16.37)

    /// The router of a server without gateway and world, and its database.
    private final class Fixture: Sendable {
        let directory: Directory
        let changes: Changes
        private let services: Services
        private let clusters = ClusterRecorder()

        init(pool: PostgresPool) {
            var configuration = Directory.Configuration()
            configuration.passwordCost = .minimal
            self.directory = Directory(pool: pool, configuration: configuration)
            let logger = Logger(level: .error)
            self.services = Services(
                configuration: ServerConfiguration(),
                clock: .system,
                logger: logger,
                world: SessionFixture.Notes(),
                clusters: self.clusters
            )
            self.clusters.answer(self.services.tileReads)
            self.changes = Changes(self.services.router.changeKinds, directory: self.directory, logger: logger)
        }

        /// The pins on maps by id: name, label and link.
        var pins: [Int64: [String?]] {
            var pins: [Int64: [String?]] = [:]
            for input in self.clusters.notified {
                switch input {
                case .loaded(.pins, let points), .put(.pins, let points):
                    for point in points { pins[point.id] = point.values.values }
                case .removed(.pins, let ids): for id in ids { pins[id] = nil }
                default: continue
                }
            }
            return pins
        }

        /// The number of pins that the maps were sent, repetitions included.
        var sent: Int {
            self.clusters.notified.reduce(0) { sum, input in
                switch input {
                case .loaded(.pins, let points), .put(.pins, let points): sum + points.count
                default: sum
                }
            }
        }

        var isLoaded: Bool { self.clusters.notified.contains(.loadEnded(.pins)) }
        /// The number of pins that the router holds.
        var count: Int? { self.services.router.count(of: .pin) }
        /// The links of the visible pins, without their beginning.
        var links: [String] {
            self.pins.values.compactMap { $0[2]?.split(separator: "/").last.map(String.init) }.sorted()
        }

        func apply<Value>(_ result: Committed<Value>) async { await self.services.router.apply(result.changes) }

        func person(_ name: String) async throws -> UserID {
            let username = "\(name.lowercased())\(Int.random(in: 1...1_000_000_000))"
            return try await self.directory.signUp(username: username, password: "correct horse", name: name).user.id
        }

        @discardableResult
        func post(_ link: String, by user: UserID) async throws -> Committed<PinPosting> {
            try await self.directory.postPin(
                PinPost("Here", at: ChangesTests.place, link: "https://example.org/\(link)"),
                by: user
            )
        }
    }

    /// Runs `body` with an operator's own connection.
    private func withFixture(_ body: (Fixture, PostgresSession) async throws -> Void) async throws {
        let cluster = try await ThrowawayCluster.shared()
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await cluster.makeDatabase(migratedFrom: migrations)
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: database))
        let fixture = Fixture(pool: pool)
        let psql = PostgresSession(connectionString: database)
        try psql.connectWithRetries()
        let reader = Task { await fixture.changes.run() }
        fixture.changes.listen(on: database, clock: .system)
        do {
            try await body(fixture, psql)
        } catch {
            fixture.changes.close()
            reader.cancel()
            await pool.close()
            throw error
        }
        fixture.changes.close()
        reader.cancel()
        await pool.close()
    }

    @Test("what was there before is read at the start, however much it is")
    func start() async throws {
        try await self.withFixture { fixture, psql in
            #expect(eventually { fixture.isLoaded })
            #expect(fixture.count == 0)
            // More rows than one read returns.
            try psql.executeScript(
                """
                INSERT INTO muster.account (id, username, password_hash, name, created_at)
                SELECT n, 'user' || n, '!', 'N', now() FROM generate_series(1, 9000) n;
                ALTER TABLE muster.pin DISABLE TRIGGER pin_announce;
                INSERT INTO muster.pin (id, user_id, text, lat, lon, posted_at, revision)
                SELECT n, n, 'text ' || n, 1, 2, now(), 1 FROM generate_series(1, 9000) n;
                ALTER TABLE muster.pin ENABLE TRIGGER pin_announce;
                """
            )
            #expect(fixture.count == 0)
            try psql.execute("SELECT pg_notify('muster_change', 'pin 0 0')")
            #expect(eventually { fixture.count == 9000 })
            #expect(fixture.sent == 9000)
            try psql.execute("DELETE FROM muster.pin WHERE id % 2 = 0")
            #expect(eventually { fixture.count == 4500 })
            #expect(fixture.pins.keys.allSatisfy { $0 % 2 == 1 })
            try psql.execute("TRUNCATE muster.pin")
            #expect(eventually { fixture.count == 0 })
            #expect(fixture.pins.isEmpty)
        }
    }

    @Test("an operator's insert, update and delete are shown, and so is a new name")
    func rows() async throws {
        try await self.withFixture { fixture, psql in
            #expect(eventually { fixture.isLoaded })
            let ada = try await fixture.person("Ada")
            try await fixture.post("One", by: ada)
            #expect(eventually { fixture.links == ["One"] })
            try psql.execute("UPDATE muster.pin SET label = 'There', link = 'https://example.org/Two'")
            #expect(eventually { fixture.links == ["Two"] })
            #expect(fixture.pins.values.first == ["Ada", "There", "https://example.org/Two"])
            try psql.execute("UPDATE muster.account SET name = 'Ada L.' WHERE id = $1", [.int64(ada.rawValue)])
            #expect(eventually { fixture.pins.values.first?[0] == "Ada L." })
            try psql.execute("DELETE FROM muster.pin")
            #expect(eventually { fixture.pins.isEmpty })
            #expect(fixture.count == 0)
        }
    }

    @Test("of what this process has changed itself, nothing is read again")
    func own() async throws {
        try await self.withFixture { fixture, _ in
            #expect(eventually { fixture.isLoaded })
            let ada = try await fixture.person("Ada")
            await fixture.apply(try await fixture.post("One", by: ada))
            let bo = try await fixture.person("Bo")
            try await fixture.post("Two", by: bo)
            #expect(eventually { fixture.links == ["One", "Two"] })
            #expect(fixture.sent == 2)
            #expect(eventually { fixture.changes.counts.notices["pin"] == 2 })
            await fixture.apply(try await fixture.directory.deletePin(of: ada))
            #expect(fixture.links == ["Two"])
        }
    }

    @Test("a kind that cannot be read keeps no other waiting")
    func rotation() async throws {
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: "host=/nonexistent"))
        let reads = Mutex<[String]>([])
        func kind(_ name: String, isBroken: Bool) -> ChangeKind {
            let note: @Sendable () throws -> Void = {
                reads.withLock { $0.append(name) }
                if isBroken { throw FrameError(.internal, message: "A row cannot be read.") }
            }
            return ChangeKind(
                name,
                isKnown: { _, _ in false },
                readAgain: { _, _ in try note() },
                compare: { _, _ in
                    try note()
                    return nil
                }
            )
        }
        let changes = Changes(
            [kind("broken", isBroken: true), kind("good", isBroken: false), kind("other", isBroken: false)],
            directory: Directory(pool: pool),
            logger: Logger(level: .error)
        )
        let reader = Task { await changes.run() }
        changes.enqueue(.listening)
        #expect(eventually { reads.withLock { Set($0) == ["broken", "good", "other"] } })
        let notice = try #require(ChangeNotice("good 1 1"))
        for round in 1...3 {
            changes.enqueue(.changed([notice]))
            #expect(eventually { reads.withLock { $0.count { $0 == "good" } > round } })
        }
        reader.cancel()
        await reader.value
        await pool.close()
    }

    @Test("what is changed while the connection is lost is found when it is there again")
    func lost() async throws {
        let cluster = try await ThrowawayCluster.shared()
        try await self.withFixture { fixture, psql in
            #expect(eventually { fixture.isLoaded })
            let (ada, bo, cy) = (
                try await fixture.person("Ada"), try await fixture.person("Bo"), try await fixture.person("Cy")
            )
            try await fixture.post("Ada", by: ada)
            try await fixture.post("Bo", by: bo)
            #expect(eventually { fixture.links == ["Ada", "Bo"] })
            #expect(eventually { fixture.changes.counts.comparisons == 3 })

            // New connections to the database are refused; existing ones remain.
            let name = try psql.execute("SELECT current_database()::text AS name")[0].text("name")
            let other = PostgresSession(connectionString: cluster.connectionString)
            try other.connectWithRetries()
            try other.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
            try psql.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()",
                [.text(ChangeFeed.applicationName)]
            )
            #expect(eventually { !fixture.changes.counts.isListening })
            try psql.execute(
                "UPDATE muster.pin SET link = 'https://example.org/Changed' WHERE user_id = $1",
                [.int64(ada.rawValue)]
            )
            try psql.execute("DELETE FROM muster.pin WHERE user_id = $1", [.int64(bo.rawValue)])
            try await fixture.post("Cy", by: cy)
            #expect(fixture.links == ["Ada", "Bo"], "something was heard of over no connection")
            try other.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")

            #expect(eventually { fixture.links == ["Changed", "Cy"] })
            #expect(eventually { fixture.changes.counts.comparisons == 6 })
            #expect(fixture.count == 2)
            try psql.execute("DELETE FROM muster.pin WHERE user_id = $1", [.int64(cy.rawValue)])
            #expect(eventually { fixture.links == ["Changed"] })
        }
    }
}
