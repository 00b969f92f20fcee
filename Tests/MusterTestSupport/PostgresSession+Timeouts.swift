package import Postgres

extension PostgresSession {
    /// Connects with a long timeout.
    ///
    /// When a hundred tests connect at once, a slow machine needs longer than a server should wait.
    package func connectWithRetries() throws(PostgresError) { try self.connect(timeout: .seconds(120)) }
}
