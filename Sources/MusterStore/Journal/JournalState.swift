/// Whether the journal can write.
package enum JournalState: String, Sendable {
    /// PostgreSQL is away, or another server holds the database: records wait, nobody can say `hello`.
    case connecting
    /// Records are written as they come.
    case ready
    /// `close` was called.
    case closed
}

/// What the journal has done and what waits, for `/metrics`.
package struct JournalMetrics: Sendable {
    /// Records that are not committed yet.
    package var waiting = 0
    /// How long the oldest of them has waited, in seconds.
    package var oldestSeconds = 0.0
    /// Records that are committed.
    package var committed: Int64 = 0
    /// Records that could not be written and were left out.
    package var failed: Int64 = 0
    /// Batches that are committed.
    package var batches: Int64 = 0
    /// Records in the last batch.
    package var lastBatchSize = 0
    /// How long the last batch took, in seconds.
    package var lastCommitSeconds = 0.0
    /// How long all batches took together, in seconds.
    package var commitSecondsTotal = 0.0
    /// Connections made after the first.
    package var reconnects: Int64 = 0
}
