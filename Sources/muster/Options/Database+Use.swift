import EventLoop
import MusterServer
import Postgres

/// An open connection to a database; a private PostgreSQL that was started for it runs until `close`.
struct OpenDatabase: Sendable {
    /// A libpq connection string.
    let connectionString: String
    private let host: DatabaseHost?

    /// Uses a running private PostgreSQL, or starts it.
    ///
    /// Blocks.
    init(_ database: ServerConfiguration.Database) throws(PostgresError) {
        switch database {
        case .external(let connectionString):
            self.connectionString = connectionString
            self.host = nil
        case .embedded(let folder, _):
            if let running = EmbeddedCluster.connectionString(ofRunningIn: folder) {
                self.connectionString = running
                self.host = nil
            } else {
                let host = DatabaseHost(database, logger: Logger(level: .warning))
                try host.start()
                self.connectionString = host.connectionString
                self.host = host
            }
        }
    }

    /// Stops a PostgreSQL that `init` started.
    ///
    /// Blocks.
    func close() { try? self.host?.stop() }
}

extension ServerConfiguration.Database {
    /// Runs `body` with a connection string.
    ///
    /// Blocks.
    func withConnection<Value>(_ body: (String) throws -> Value) throws -> Value {
        let database = try OpenDatabase(self)
        defer { database.close() }
        return try body(database.connectionString)
    }
}
