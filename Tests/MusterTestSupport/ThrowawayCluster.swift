/// A PostgreSQL server for the tests of one process, started at first use and gone when the process is.
package final class ThrowawayCluster: Sendable {
    /// The server that all tests of this process share.
    package static func shared() async throws -> ThrowawayCluster { preconditionFailure("skeleton") }

    /// A server of the caller's own, for tests that stop or kill it.
    package static func dedicated() async throws -> ThrowawayCluster { preconditionFailure("skeleton") }

    /// Makes a fresh, empty database and returns its connection string.
    package func makeDatabase() async throws -> String { preconditionFailure("skeleton") }

    /// Makes a fresh database with the migrations of `directory` applied (once a process: it is cloned).
    package func makeDatabase(migratedFrom directory: String) async throws -> String { preconditionFailure("skeleton") }

    /// Ends every session of the server.
    package func killBackends() async throws { preconditionFailure("skeleton") }

    /// Stops the server as a crash would.
    package func stopImmediately() async throws { preconditionFailure("skeleton") }

    /// Starts the server again.
    package func start() async throws { preconditionFailure("skeleton") }
}
