package import EventLoop

/// Writes the world's records to PostgreSQL, in order, in batches, each exactly once.
package final class Journal: Sendable {
    /// How the journal works.
    package struct Configuration: Sendable {
        /// A libpq connection string or URL.
        package var connectionString: String
        /// The most records in one transaction.
        package var batchLimit = 10_000
        /// How long a transaction may take.
        package var batchTimeout: Duration = .seconds(30)

        /// Creates the usual configuration.
        package init(connectionString: String) { self.connectionString = connectionString }
    }

    /// Starts the journal's thread, which begins to connect at once.
    ///
    /// - Parameters:
    ///   - onStateChange: called on the journal's thread.
    ///   - onCommitted: called on the journal's thread after each commit, with the number of the last record that is
    ///     done with, and the numbers of those that could not be written.
    package init(
        _ configuration: Configuration,
        clock: MonotonicClock = .system,
        log: @escaping @Sendable (StoreLogEntry) -> Void = { _ in },
        onStateChange: @escaping @Sendable (JournalState) -> Void = { _ in },
        onCommitted: @escaping @Sendable (_ through: Int64, _ failed: [Int64]) -> Void
    ) {}

    /// Whether it can write now.
    package var state: JournalState { preconditionFailure("skeleton") }

    /// What it has done and what waits.
    package var metrics: JournalMetrics { preconditionFailure("skeleton") }

    /// Takes records over, in order; never blocks. The array is left empty with its capacity.
    package func submit(_ entries: inout [JournalEntry]) { preconditionFailure("skeleton") }

    /// Returns when everything submitted so far is committed, or `timeout` has passed; blocks.
    ///
    /// - Returns: whether everything is committed.
    package func flush(timeout: Duration) -> Bool { preconditionFailure("skeleton") }

    /// Ends the thread and gives the database up; blocks. What was not flushed is lost.
    package func close() { preconditionFailure("skeleton") }
}
