package import MusterCore

/// A record and the number that the world gave it.
package struct JournalEntry: Sendable {
    /// Rises by one from record to record.
    package var number: Int64
    package var record: JournalRecord

    /// Numbers a record.
    package init(number: Int64, record: JournalRecord) {
        self.number = number
        self.record = record
    }
}
