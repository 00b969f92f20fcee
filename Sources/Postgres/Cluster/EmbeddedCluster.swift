/// A private PostgreSQL server in a folder of its own, reached by a unix socket only.
///
/// It outlives a crash of this process; the next `start` adopts it when it still runs, and starts it anew otherwise.
/// All calls block: make them before serving, or on a thread of their own.
package final class EmbeddedCluster: Sendable {
    /// Whether a commit must survive the machine's failing.
    package enum Durability: Sendable {
        /// Every commit reaches the disk.
        case full
        /// Nothing is forced to disk: for throw-away clusters.
        case relaxed
    }

    /// Names the cluster in `folder`, which need not exist yet.
    package init(
        folder: String,
        durability: Durability = .full,
        log: @escaping @Sendable (PostgresLogEntry) -> Void = { _ in }
    ) {}

    /// Makes the cluster if there is none, starts it if it does not run, and makes the database `muster` if it is missing.
    package func start() throws(PostgresError) { preconditionFailure("skeleton") }

    /// Stops the server, ending its sessions, and waits for it.
    package func stop() throws(PostgresError) { preconditionFailure("skeleton") }

    /// A libpq connection string for the database `muster`; valid once `start` has returned.
    package var connectionString: String { preconditionFailure("skeleton") }
}
