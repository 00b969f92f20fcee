import Foundation
import MusterTestSupport
import Testing

@testable import Postgres

@Suite struct MigratorTests {
    private static let first = (
        "0001-people.sql", "CREATE TABLE muster.person (name text); CREATE INDEX ON muster.person (name)"
    )
    private static let second = ("0002-age.sql", "ALTER TABLE muster.person ADD COLUMN age integer")

    /// A folder with files, deleted with the object.
    private final class MigrationsFolder: Sendable {
        let path = NSTemporaryDirectory() + "/muster-migrations-\(UUID().uuidString)"

        init(_ files: (name: String, sql: String)...) throws {
            try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
            for file in files { try self.write(file.sql, to: file.name) }
        }

        deinit { try? FileManager.default.removeItem(atPath: self.path) }

        func write(_ sql: String, to name: String) throws {
            try Data(sql.utf8).write(to: URL(fileURLWithPath: "\(self.path)/\(name)"))
        }

        func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(self.path)/\(name)") }

        func migrate(_ database: String) async throws -> [Migrator.Status] {
            try await onWorkerThread { [path] in
                let session = PostgresSession(connectionString: database)
                try session.connectWithRetries()
                return try Migrator(directory: path).migrate(session)
            }
        }

        func status(_ database: String) async throws -> [Migrator.Status] {
            try await onWorkerThread { [path] in
                let session = PostgresSession(connectionString: database)
                try session.connectWithRetries()
                return try Migrator(directory: path).status(session)
            }
        }
    }

    @Test("pending files are applied in order, once, and listed")
    func appliesOnce() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        let folder = try MigrationsFolder(Self.first)
        #expect(try await folder.status(database).map(\.appliedAtUnixMilliseconds) == [nil])
        #expect(try await folder.migrate(database).map(\.name) == ["people"])
        #expect(try await folder.migrate(database).isEmpty)
        try folder.write(Self.second.1, to: Self.second.0)
        #expect(try await folder.migrate(database).map(\.number) == [2])
        let status = try await folder.status(database)
        #expect(status.map(\.name) == ["people", "age"])
        #expect(status.allSatisfy { $0.appliedAtUnixMilliseconds != nil })
    }

    @Test("servers that start together apply each file once")
    func concurrent() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        let folder = try MigrationsFolder(Self.first, Self.second)
        let applied = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 { group.addTask { try await folder.migrate(database).count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(applied.sorted() == [0, 0, 0, 0, 0, 2])
    }

    @Test("a file that was changed, or is gone, after it was applied is refused before anything is done")
    func refusesChanges() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        let folder = try MigrationsFolder(Self.first)
        _ = try await folder.migrate(database)
        try folder.write(Self.first.1 + " -- better", to: Self.first.0)
        try folder.write(Self.second.1, to: Self.second.0)
        let changed = await #expect(throws: PostgresError.self) { _ = try await folder.migrate(database) }
        #expect(changed?.code == .migration)
        #expect(changed?.message.contains("0001-people.sql was changed") == true)
        try folder.remove(Self.first.0)
        let gap = await #expect(throws: PostgresError.self) { _ = try await folder.migrate(database) }
        #expect(gap?.message.contains("a gap between 0 and 2") == true)
        try folder.remove(Self.second.0)
        let gone = await #expect(throws: PostgresError.self) { _ = try await folder.migrate(database) }
        #expect(gone?.message.contains("its file is missing") == true)
    }

    @Test("a file that fails leaves nothing of itself, keeps those before it, and is named")
    func failingFile() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        let folder = try MigrationsFolder(Self.first, ("0002-bad.sql", "CREATE TABLE muster.half (n int); SELECT 1/0"))
        let failure = await #expect(throws: PostgresError.self) { _ = try await folder.migrate(database) }
        #expect(failure?.message.hasPrefix("migration 0002-bad.sql:") == true)
        #expect(failure?.sqlState == "22012")
        try folder.write("CREATE TABLE muster.half (n int)", to: "0002-bad.sql")
        #expect(try await folder.migrate(database).map(\.number) == [2])
    }

    @Test("names that are not numbered are refused", arguments: ["people.sql", "1-people.sql", "00001-people.sql"])
    func badNames(name: String) async throws {
        let database = try await ThrowawayCluster.shared().connectionString
        let folder = try MigrationsFolder((name, "SELECT 1"))
        let failure = await #expect(throws: PostgresError.self) { _ = try await folder.status(database) }
        #expect(failure?.code == .migration)
    }

    @Test("a migrated database is cloned for each test that asks")
    func template() async throws {
        let folder = try MigrationsFolder(Self.first)
        let cluster = try await ThrowawayCluster.shared()
        async let left = cluster.makeDatabase(migratedFrom: folder.path)
        async let right = cluster.makeDatabase(migratedFrom: folder.path)
        let databases = try await [left, right]
        #expect(Set(databases).count == 2)
        for database in databases { #expect(try await folder.migrate(database).isEmpty) }
    }

    @Test(
        "a server that is too old is refused with both versions named",
        arguments: [(90_624, "9"), (130_011, "13"), (149_999, "14"), (150_000, nil), (170_002, nil)] as [(Int, String?)]
    )
    func versions(number: Int, refused: String?) throws {
        do {
            try Migrator.requireVersion(number)
            #expect(refused == nil)
        } catch {
            #expect(error.message.contains("PostgreSQL \(refused ?? "none") is too old: 15"))
        }
    }

    @Test("a migration that loses a deadlock against a running server is applied nevertheless")
    func deadlock() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        let folder = try MigrationsFolder(
            ("0001-a.sql", "CREATE TABLE muster.a (n int); CREATE TABLE muster.b (n int)")
        )
        _ = try await folder.migrate(database)
        try folder.write("ALTER TABLE muster.a ADD m int; ALTER TABLE muster.b ADD m int", to: "0002-m.sql")
        let migration = try await onWorkerThread { () throws -> Task<[Migrator.Status], any Error> in
            let server = PostgresSession(connectionString: database)
            try server.connectWithRetries()
            // Only the migration looks for deadlocks, so it is the one that loses.
            try server.execute("SET deadlock_timeout = '1min'")
            try server.execute("BEGIN")
            try server.execute("LOCK TABLE muster.b")
            let migration = Task { try await folder.migrate(database) }
            let watch = PostgresSession(connectionString: database)
            try watch.connectWithRetries()
            let waiting = "SELECT 1 AS one FROM pg_locks WHERE NOT granted AND relation = 'muster.b'::regclass"
            #expect(eventually { (try? watch.execute(waiting))?.isEmpty == false })
            try server.execute("LOCK TABLE muster.a")
            try server.execute("COMMIT")
            return migration
        }
        #expect(try await migration.value.map(\.number) == [2])
    }
}
