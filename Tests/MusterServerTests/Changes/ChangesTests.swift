import EventLoop
import Foundation
import MusterCore
import MusterStore
import MusterTestSupport
import MusterWire
import Postgres
import Synchronization
import Testing

@testable import MusterServer

@Suite("Changes behind the server's back", .blocking)
struct ChangesTests {
    private static let place = Coordinate(latitude: 48.2, longitude: 16.37)

    /// A live board of pins, and its database.
    private final class Stage: Sendable {
        /// The board as a client sees it, and the number of updates of each pin.
        struct Shown {
            var pins: [PinID: Pin] = [:]
            var tellings = 0
            var isLoaded = false
        }

        let directory: Directory
        let board: PinBoard
        let changes: Changes
        private let shown: SharedShown

        private final class SharedShown: Sendable {
            let state = Mutex(Shown())
        }

        init(pool: PostgresPool) {
            var configuration = Directory.Configuration()
            configuration.passwordCost = .minimal
            self.directory = Directory(pool: pool, configuration: configuration)
            let shown = SharedShown()
            self.shown = shown
            self.board = PinBoard { change in
                shown.state.withLock { state in
                    switch change {
                    case .put(let pins):
                        state.tellings += pins.count
                        for pin in pins { state.pins[pin.id] = pin }
                    case .removed(let pins): for pin in pins { state.pins[pin] = nil }
                    case .loaded: state.isLoaded = true
                    }
                }
            }
            self.changes = Changes([self.board.changeKind], directory: self.directory, logger: Logger(level: .error))
        }

        var now: Shown { self.shown.state.withLock { $0 } }

        /// The texts of the visible pins.
        var texts: [String] { self.now.pins.values.map(\.text).sorted() }

        func person(_ name: String) async throws -> UserID {
            let username = "\(name.lowercased())\(Int.random(in: 1...1_000_000_000))"
            return try await self.directory.signUp(username: username, password: "correct horse", name: name).user.id
        }

        func post(_ text: String, by user: UserID) async throws -> Pin {
            guard
                case .posted(let pin) = try await self.directory.postPin(
                    PinPost(text, at: ChangesTests.place),
                    by: user
                )
            else { throw TestFailure("\(text) is not posted") }
            return pin
        }
    }

    /// Runs `body` with an operator's own connection.
    private func withStage(_ body: (Stage, PostgresSession) async throws -> Void) async throws {
        let cluster = try await ThrowawayCluster.shared()
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await cluster.makeDatabase(migratedFrom: migrations)
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: database))
        let stage = Stage(pool: pool)
        let psql = PostgresSession(connectionString: database)
        try psql.connectPatiently()
        let reader = Task { await stage.changes.run() }
        stage.changes.listen(on: database, clock: .system)
        do {
            try await body(stage, psql)
        } catch {
            stage.changes.close()
            reader.cancel()
            await pool.close()
            throw error
        }
        stage.changes.close()
        reader.cancel()
        await pool.close()
    }

    @Test("what was there before is read at the start, however much it is")
    func start() async throws {
        try await self.withStage { stage, psql in
            #expect(eventually { stage.now.isLoaded })
            #expect(stage.board.count == 0)
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
            #expect(stage.board.count == 0)
            try psql.execute("SELECT pg_notify('muster_change', 'pin 0 0')")
            #expect(eventually { stage.board.count == 9000 })
            #expect(stage.now.tellings == 9000)
            try psql.execute("DELETE FROM muster.pin WHERE id % 2 = 0")
            #expect(eventually { stage.board.count == 4500 })
            #expect(stage.now.pins.keys.allSatisfy { $0.rawValue % 2 == 1 })
            try psql.execute("TRUNCATE muster.pin")
            #expect(eventually { stage.board.count == 0 })
            #expect(stage.now.pins.isEmpty)
        }
    }

    @Test("an operator's insert, update and delete are shown, and so is a new name")
    func rows() async throws {
        try await self.withStage { stage, psql in
            #expect(eventually { stage.now.isLoaded })
            let ada = try await stage.person("Ada")
            let pin = try await stage.post("One", by: ada)
            #expect(eventually { stage.texts == ["One"] })
            try psql.execute("UPDATE muster.pin SET text = 'Two', label = 'There', link = 'https://example.org/'")
            #expect(eventually { stage.texts == ["Two"] })
            let shown = stage.now.pins[pin.id]
            #expect((shown?.label, shown?.link) == ("There", "https://example.org/"))
            try psql.execute("UPDATE muster.account SET name = 'Ada L.' WHERE id = $1", [.int64(ada.rawValue)])
            #expect(eventually { stage.now.pins[pin.id]?.person.name == "Ada L." })
            try psql.execute("DELETE FROM muster.pin")
            #expect(eventually { stage.texts == [] })
            #expect(stage.board.count == 0)
        }
    }

    @Test("of what this process has changed itself, nothing is read again")
    func own() async throws {
        try await self.withStage { stage, _ in
            #expect(eventually { stage.now.isLoaded })
            let ada = try await stage.person("Ada")
            stage.board.put(try await stage.post("One", by: ada))
            let bo = try await stage.person("Bo")
            _ = try await stage.post("Two", by: bo)
            #expect(eventually { stage.texts == ["One", "Two"] })
            #expect(stage.now.tellings == 2)
            #expect(eventually { stage.changes.counts.notices == ["pin": 2] })
            stage.board.remove([try await stage.directory.deletePin(of: ada)])
            #expect(stage.texts == ["Two"])
        }
    }

    @Test("a kind that cannot be read keeps no other waiting")
    func rotation() async throws {
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: "host=/nonexistent"))
        let reads = Mutex<[String]>([])
        func kind(_ name: String, isBroken: Bool) -> ChangeKind {
            let note: @Sendable () throws(DirectoryError) -> Void = { () throws(DirectoryError) in
                reads.withLock { $0.append(name) }
                if isBroken { throw DirectoryError(.internal, "a row cannot be read") }
            }
            return ChangeKind(
                name,
                isKnown: { _, _ in false },
                readAgain: { (_, _) async throws(DirectoryError) in try note() },
                compare: { (_) async throws(DirectoryError) in try note() }
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
        try await self.withStage { stage, psql in
            #expect(eventually { stage.now.isLoaded })
            let (ada, bo, cy) = (
                try await stage.person("Ada"), try await stage.person("Bo"), try await stage.person("Cy")
            )
            _ = try await stage.post("Ada's", by: ada)
            _ = try await stage.post("Bo's", by: bo)
            #expect(eventually { stage.texts == ["Ada's", "Bo's"] })
            #expect(stage.changes.counts.comparisons == 1)

            // New connections to the database are refused; existing ones remain.
            let name = try psql.execute("SELECT current_database()::text AS name")[0].text("name")
            let other = PostgresSession(connectionString: cluster.connectionString)
            try other.connectPatiently()
            try other.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
            try psql.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()",
                [.text(ChangeFeed.applicationName)]
            )
            #expect(eventually { !stage.changes.counts.isListening })
            try psql.execute("UPDATE muster.pin SET text = 'Changed' WHERE user_id = $1", [.int64(ada.rawValue)])
            try psql.execute("DELETE FROM muster.pin WHERE user_id = $1", [.int64(bo.rawValue)])
            _ = try await stage.post("Cy's", by: cy)
            #expect(stage.texts == ["Ada's", "Bo's"], "something was heard of over no connection")
            try other.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")

            #expect(eventually { stage.texts == ["Changed", "Cy's"] })
            #expect(eventually { stage.changes.counts.comparisons == 2 })
            #expect(stage.board.count == 2)
            try psql.execute("DELETE FROM muster.pin WHERE user_id = $1", [.int64(cy.rawValue)])
            #expect(eventually { stage.texts == ["Changed"] })
        }
    }
}
