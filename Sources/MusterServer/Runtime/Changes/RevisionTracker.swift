// A row comes from one of two sources: from a request of this process that has just changed it, or from a read. Only the
// revision says which of two states is newer, and a deleted row has no revision. Ids are never reused, so a row that is
// reported as deleted during a read stays deleted. A request may also report its write after another writer has
// reported the deletion. So recently deleted ids are remembered until a read that began later finds the row after all.

/// Tracks which rows of a kind the live state holds and in which revision; decides which incoming rows are new.
///
/// A value; its owner performs one read at a time. A comparison of all rows consists of several reads, and other reads
/// may come between them.
struct RevisionTracker {
    /// What an incoming row is to the live state; nil when this revision or a newer one is held.
    enum Novelty {
        case new
        /// An older revision was held.
        case changed
    }

    /// A read of some rows, or a comparison of all.
    private struct Reading {
        /// Rows that were not found yet; rows that are never found are gone.
        var unseen: Set<Int64>
        /// Rows that were reported as deleted meanwhile.
        var gone: Set<Int64> = []
    }

    private var revisions: [Int64: Int64] = [:]
    private var reading: Reading?
    private var comparison: Reading?
    /// Recently deleted rows; the limit is more than are deleted while a request runs.
    private var deleted = RecentDeletions(limit: 65_536)

    /// The number of rows.
    var count: Int { self.revisions.count }

    /// Whether this revision of a row or a newer one is held.
    func isKnown(_ id: Int64, revision: Int64) -> Bool { self.revisions[id].map { $0 >= revision } ?? false }

    /// Records a row that was just written.
    ///
    /// It does not count as found by a read: the report may be late, and the row deleted before the read.
    mutating func put(_ id: Int64, revision: Int64) -> Novelty? {
        guard !self.deleted.contains(id) else { return nil }
        return self.record(id, revision)
    }

    /// Records that a row was just deleted.
    mutating func remove(_ id: Int64) {
        self.deleted.insert(id)
        self.see(id)
        self.reading?.gone.insert(id)
        self.comparison?.gone.insert(id)
        self.revisions[id] = nil
    }

    /// Removes a row that is no longer held although it still exists in storage, unless a newer revision is known.
    mutating func forget(_ id: Int64, revision: Int64) {
        if self.revisions[id] == revision { self.revisions[id] = nil }
    }

    // MARK: - Reads of some rows

    /// Begins a read of some rows.
    mutating func beginReading(of ids: [Int64]) { self.reading = Reading(unseen: Set(ids)) }

    /// Records a row that was read.
    mutating func read(_ id: Int64, revision: Int64) -> Novelty? {
        guard self.reading?.gone.contains(id) != true else { return nil }
        self.deleted.remove(id)
        self.see(id)
        return self.record(id, revision)
    }

    /// Ends a read of some rows.
    ///
    /// - Returns: the rows that do not exist, in the order of their ids.
    mutating func endReading() -> [Int64] {
        guard let reading = self.reading.take() else { return [] }
        for id in reading.unseen { self.remove(id) }
        return reading.unseen.sorted()
    }

    // MARK: - Comparisons of all rows

    /// Begins a comparison of all rows.
    mutating func beginComparison() { self.comparison = Reading(unseen: Set(self.revisions.keys)) }

    /// Records a row that a comparison found.
    mutating func compare(_ id: Int64, revision: Int64) -> Novelty? {
        guard self.comparison?.gone.contains(id) != true else { return nil }
        self.deleted.remove(id)
        self.see(id)
        return self.record(id, revision)
    }

    /// The rows that a comparison has not found, in the order of their ids.
    ///
    /// They must be read before the comparison ends.
    var unseen: [Int64] { self.comparison?.unseen.sorted() ?? [] }

    /// Ends a comparison.
    mutating func endComparison() { self.comparison = nil }

    private mutating func record(_ id: Int64, _ revision: Int64) -> Novelty? {
        let held = self.revisions[id]
        if let held, held >= revision { return nil }
        self.revisions[id] = revision
        return held == nil ? .new : .changed
    }

    private mutating func see(_ id: Int64) {
        self.reading?.unseen.remove(id)
        self.comparison?.unseen.remove(id)
    }
}
