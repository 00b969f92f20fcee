package import Postgres
import Synchronization

/// The PostgreSQL server of a process: an external server, or a private cluster that this type starts and stops.
package final class DatabaseHost: Sendable {
    private let database: ServerConfiguration.Database
    private let logger: Logger
    private let cluster = Mutex<EmbeddedCluster?>(nil)

    /// Creates a host; nothing is started yet.
    package init(_ database: ServerConfiguration.Database, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// A libpq connection string; for a private cluster it is valid once `start` has returned.
    package var connectionString: String {
        switch self.database {
        case .embedded: self.cluster.withLock { $0?.connectionString ?? "" }
        case .external(let connectionString): connectionString
        }
    }

    /// Whether the server belongs to this process.
    var isEmbedded: Bool {
        switch self.database {
        case .embedded: true
        case .external: false
        }
    }

    /// Starts a private cluster; does nothing for an external server.
    ///
    /// Blocks.
    package func start() throws(PostgresError) {
        guard case .embedded(let folder, let placement) = self.database else { return }
        let logger = self.logger
        let started = try EmbeddedCluster.start(
            folder: folder,
            placement: placement,
            log: { logger.log($0, component: "cluster") }
        )
        self.cluster.withLock { $0 = started }
    }

    /// Whether a private cluster has died; false before `start` and after `stop`.
    var hasDied: Bool {
        guard let cluster = self.cluster.withLock({ $0 }) else { return false }
        return cluster.serverProcess == nil
    }

    /// Restarts a private cluster that has died.
    ///
    /// Blocks.
    func revive() throws(PostgresError) {
        try self.cluster.withLock { $0 }?.revive()
    }

    /// Stops a private cluster.
    ///
    /// Blocks.
    package func stop() throws(PostgresError) {
        try self.cluster.withLock { $0.take() }?.stop()
    }

    /// Brings the schema up to date.
    ///
    /// Blocks.
    ///
    /// - Returns: the migrations that this call applied.
    package func migrate(from sqlDirectory: String) throws(PostgresError) -> [Migrator.Status] {
        try self.withMigrator(sqlDirectory) { (migrator, session) throws(PostgresError) in
            try migrator.migrate(session)
        }
    }

    /// Brings the schema of a restored backup up to date, and corrects data that is no longer true.
    ///
    /// Blocks.
    ///
    /// - Parameters:
    ///   - sqlDirectory: the folder of the migrations.
    ///   - choice: the operator's choice.
    ///   - now: the current time.
    /// - Returns: the migrations that were applied, and a line for each correction.
    /// - Throws: `AfterRestore.Refusal` when a server is running, and then nothing is changed; `PostgresError`.
    package func repairAfterRestore(
        from sqlDirectory: String,
        _ choice: RestoreStep.Choice,
        atUnixMilliseconds now: Int64
    ) throws -> (applied: [Migrator.Status], repaired: [String]) {
        let session = PostgresSession(connectionString: self.connectionString, timeout: .seconds(120))
        try session.connect()
        defer { session.close() }
        let restore = AfterRestore(choice)
        try restore.keepServersOut(session)
        let applied = try Migrator(directory: "\(sqlDirectory)/migrations").migrate(session)
        return (applied, try restore.run(session, atUnixMilliseconds: now))
    }

    /// Lists the migrations and when each was applied.
    ///
    /// Blocks.
    package func migrationStatus(from sqlDirectory: String) throws(PostgresError) -> [Migrator.Status] {
        try self.withMigrator(sqlDirectory) { (migrator, session) throws(PostgresError) in
            try migrator.status(session)
        }
    }

    private func withMigrator(
        _ sqlDirectory: String,
        _ body: (Migrator, PostgresSession) throws(PostgresError) -> [Migrator.Status]
    ) throws(PostgresError) -> [Migrator.Status] {
        let session = PostgresSession(connectionString: self.connectionString, timeout: .seconds(120))
        try session.connect()
        defer { session.close() }
        return try body(Migrator(directory: "\(sqlDirectory)/migrations"), session)
    }
}
