package import Postgres

extension PostgresSession {
    /// Connects, also while a hundred other tests do, for which a slow machine takes longer than a server should wait.
    package func connectPatiently() throws(PostgresError) { try self.connect(timeout: .seconds(120)) }
}
