package import MusterCore

/// A record with its number.
package struct JournalEntry: Sendable {
    /// The number, which rises by one with every record.
    package var number: Int64
    var record: JournalRecord
    /// Whether the record is the last one of a tick of the world.
    ///
    /// A batch ends at such a record, so that an alert and the state that records its sending are in the same
    /// transaction.
    var endsIteration = false

    /// Creates an entry.
    package init(number: Int64, record: JournalRecord) {
        self.number = number
        self.record = record
    }
}
