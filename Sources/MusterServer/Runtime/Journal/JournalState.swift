/// The state of the journal.
package enum JournalState: String, Sendable {
    /// PostgreSQL is unavailable, or another server holds the database; records wait, and no `hello` is accepted.
    case connecting
    /// Records are written on arrival.
    case ready
    /// `close` was called.
    case closed
}

/// The counters of the journal, for `/metrics`.
package struct JournalMetrics: Sendable {
    /// Uncommitted records.
    package var waiting = 0
    /// The age of the oldest uncommitted record, in seconds.
    var oldestSeconds = 0.0
    /// Committed records.
    var committed: Int64 = 0
    /// Records that could not be written and were skipped.
    var failed: Int64 = 0
    /// Committed batches.
    package var batches: Int64 = 0
    /// Records in the last batch.
    var lastBatchSize = 0
    /// The duration of the last batch, in seconds.
    var lastCommitSeconds = 0.0
    /// The duration of all batches, in seconds.
    var commitSecondsTotal = 0.0
    /// Connections made after the first.
    var reconnects: Int64 = 0
}
