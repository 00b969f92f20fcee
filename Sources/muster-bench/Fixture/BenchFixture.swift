import EventLoop
import Foundation
import MusterCommands
import MusterServer
import Postgres

/// A private PostgreSQL with our schema in a temporary folder, and a directory on it.
///
/// Every commit reaches the disk, as in production.
final class BenchFixture: Sendable {
    /// A libpq connection string.
    let connectionString: String
    /// The process id of PostgreSQL's postmaster.
    let postgresProcess: Int32
    /// A directory for creating accounts and groups, with the minimum cost of passwords.
    let directory: Directory
    /// A folder for files of a run; removed at the end.
    let folder: String
    private let cluster: EmbeddedCluster
    private let pool: PostgresPool

    /// Creates a fixture, runs `body` on it, and removes it again, however `body` ends.
    ///
    /// With `countsStatements` PostgreSQL counts its statements in `pg_stat_statements`.
    static func with<Value: Sendable>(
        _ context: BenchContext,
        countsStatements: Bool = false,
        _ body: (BenchFixture) async throws -> Value
    ) async throws -> Value {
        context.progress.show("starting PostgreSQL")
        let folder = "\(NSTemporaryDirectory())/muster-bench-\(UUID().uuidString.prefix(8))".replacing("//", with: "/")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cluster = try await BlockingWork.run(named: "cluster") { () throws(PostgresError) in
            ProcessorPlan.unbindThread()
            func start() throws(PostgresError) -> EmbeddedCluster {
                try EmbeddedCluster.start(
                    folder: "\(folder)/postgres",
                    placement: .elsewhereWhenClosed,
                    durability: .full
                )
            }
            let cluster = try start()
            guard countsStatements else { return cluster }
            try Self.execute(
                "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'",
                on: cluster.connectionString
            )
            try cluster.stop()
            let counting = try start()
            try Self.execute("CREATE EXTENSION pg_stat_statements", on: counting.connectionString)
            return counting
        }
        let result: Result<Value, any Error>
        do {
            let fixture = try await BenchFixture(cluster: cluster, folder: folder)
            do {
                result = .success(try await body(fixture))
            } catch {
                result = .failure(error)
            }
            await fixture.pool.close()
        } catch {
            result = .failure(error)
        }
        context.progress.show("stopping PostgreSQL")
        await BlockingWork.run(named: "cluster") { () throws(Never) in
            try? cluster.stop(.immediate)
            // The cluster's folder when the server's account could not access the temporary folder.
            if cluster.folder.hasPrefix("/var/lib/muster/") {
                try? FileManager.default.removeItem(atPath: cluster.folder)
            }
        }
        return try result.get()
    }

    private static func execute(_ sql: String, on connectionString: String) throws(PostgresError) {
        let session = PostgresSession(connectionString: connectionString)
        try session.connect()
        defer { session.close() }
        try session.execute(sql)
    }

    private init(cluster: EmbeddedCluster, folder: String) async throws {
        self.cluster = cluster
        self.folder = folder
        self.connectionString = cluster.connectionString
        self.postgresProcess = cluster.serverProcess ?? 0
        guard let sql = ResourceFolder.find("sql") else {
            throw BenchError("no folder 'sql' here or beside the program")
        }
        let host = DatabaseHost(.external(connectionString: cluster.connectionString), logger: Logger(level: .warning))
        _ = try await BlockingWork.run(named: "migrate") { () throws(PostgresError) in try host.migrate(from: sql) }
        self.pool = PostgresPool(PostgresPool.Configuration(connectionString: cluster.connectionString))
        var configuration = Directory.Configuration()
        // Different from the server's node, so that all ids are unique.
        configuration.node = 255
        configuration.passwordCost = .minimal
        self.directory = Directory(pool: self.pool, configuration: configuration)
        try await self.directory.maintain()
    }

    /// Runs a server on this database, with additional options, while `body` runs.
    ///
    /// The server shares our process session and has priority over PostgreSQL in it, like a service with a session of
    /// its own.
    func withServer<Value: Sendable>(
        _ context: BenchContext,
        sessions: Int,
        gateways: Int,
        options more: [String] = [],
        _ body: (ServerProcess) async throws -> Value
    ) async throws -> Value {
        var options =
            [
                "--listen", "127.0.0.1:0", "--database-url", self.connectionString, "--places-dir", "none",
                "--fix-rate", "1000000", "--chat-rate", "1000000", "--max-connections", String(sessions + 100),
                "--gateways", String(gateways),
                "--log-level", "warning",
            ] + more
        let processors = ProcessorPlan.served.map(String.init).joined(separator: ",")
        if !processors.isEmpty { options += ["--processors", processors] }
        context.progress.step(
            "the server is a child process with raised limits: --fix-rate 1000000 --chat-rate 1000000 --max-connections \(sessions + 100)"
                + (processors.isEmpty
                    ? "" : ", and --processors \(processors); the last processor is reserved for the load")
        )
        let server = try await ServerProcess.start(options: options, log: "\(self.folder)/server.log")
        let result: Result<Value, any Error>
        do {
            let value = try await SessionNiceness.preferring(
                log: { context.progress.step($0.message) },
                { try await body(server) }
            )
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        context.progress.show("stopping the server")
        await BlockingWork.run(named: "stop") { () throws(Never) in server.stop() }
        return try result.get()
    }

    /// Runs blocking work on a separate thread.
    static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let result = await BlockingWork.run(named: "load") { () throws(Never) in Result { try body() } }
        return try result.get()
    }

    /// Runs a load on a separate thread, on the processor reserved for the load.
    static func loading<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let result = await BlockingWork.run(named: "load", processor: ProcessorPlan.load) { () throws(Never) in
            ProcessorPlan.preferThread()
            return Result { try body() }
        }
        return try result.get()
    }

    /// Returns the integer `number` of a statement's only row.
    func number(_ sql: String) async throws -> Int64 {
        guard let row = try await self.pool.query(sql).first else { throw BenchError("no row returned by \(sql)") }
        return try row.int64("number")
    }

    /// The last lines of the server's log, which contains only warnings.
    var serverWarnings: [String] {
        let text = (try? String(contentsOfFile: "\(self.folder)/server.log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(5).map(String.init)
    }
}
