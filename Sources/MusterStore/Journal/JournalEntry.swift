package import MusterCore

/// A record and the number that the world gave it.
package struct JournalEntry: Sendable {
    /// Rises by one from record to record.
    package var number: Int64
    package var record: JournalRecord
    /// Whether it is the last that the world made in one go: a batch ends at such a record, so that an alert and the
    /// state that says it was sent are never in different transactions.
    var endsTurn = false

    /// Numbers a record.
    package init(number: Int64, record: JournalRecord) {
        self.number = number
        self.record = record
    }
}
