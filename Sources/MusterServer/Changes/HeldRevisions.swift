import MusterCore

// A row arrives by one of two paths: from a request of this process that has just changed it, or from a read. Only the
// revision says which of two states is newer, and a deleted row has no revision. Ids are never reused, so a row that is
// reported as deleted during a read stays deleted. A request may also report its write after another writer has
// reported the deletion. So recently deleted ids are remembered until a read that began later finds the row after all.

/// Tracks which rows of a kind this process caches and in which revision; decides which incoming rows are new.
///
/// A value; its owner performs one read at a time, between `beginReading` and `endReading`.
struct HeldRevisions<Subject> {
    private struct Reading {
        /// Rows that the read has not returned yet; rows that it never returns are gone.
        var unseen: Set<Identifier<Subject>>
        /// Rows that were reported as deleted during the read.
        var gone: Set<Identifier<Subject>> = []
        /// Whether the read covers all rows.
        let isAll: Bool
    }

    private var revisions: [Identifier<Subject>: Int64] = [:]
    private var reading: Reading?
    /// Recently deleted rows; the limit is more than are deleted while a request runs.
    private var deleted = RecentDeletions<Subject>(limit: 4_096)

    /// The number of cached rows.
    var count: Int { self.revisions.count }

    /// Whether this revision of a row or a newer one is cached.
    func isKnown(_ id: Identifier<Subject>, revision: Int64) -> Bool {
        self.revisions[id].map { $0 >= revision } ?? false
    }

    /// Records a row that was just written.
    ///
    /// - Returns: whether the revision is new.
    mutating func put(_ id: Identifier<Subject>, revision: Int64) -> Bool {
        guard !self.deleted.contains(id) else { return false }
        self.reading?.unseen.remove(id)
        return self.record(id, revision)
    }

    /// Removes a row that was just deleted.
    ///
    /// - Returns: whether the row was cached.
    mutating func remove(_ id: Identifier<Subject>) -> Bool {
        self.deleted.insert(id)
        self.reading?.gone.insert(id)
        return self.revisions.removeValue(forKey: id) != nil
    }

    /// Begins a read of some rows, or of all rows when `ids` is nil.
    mutating func beginReading(of ids: [Identifier<Subject>]?) {
        self.reading = Reading(unseen: ids.map { Set($0) } ?? Set(self.revisions.keys), isAll: ids == nil)
    }

    /// Records a row that was read.
    ///
    /// - Returns: whether the revision is new.
    mutating func read(_ id: Identifier<Subject>, revision: Int64) -> Bool {
        guard self.reading?.gone.contains(id) != true else { return false }
        self.reading?.unseen.remove(id)
        self.deleted.remove(id)
        return self.record(id, revision)
    }

    /// The rows that the current read has not returned yet, in the order of their ids.
    var unseen: [Identifier<Subject>] { self.reading?.unseen.sorted() ?? [] }

    /// Removes a row from the cache although it still exists in storage.
    mutating func forget(_ id: Identifier<Subject>) {
        self.reading?.unseen.remove(id)
        self.revisions[id] = nil
    }

    /// Ends a complete read.
    ///
    /// - Returns: the rows that were cached and no longer exist.
    mutating func endReading() -> [Identifier<Subject>] {
        guard let reading = self.reading.take() else { return [] }
        // A read of all rows returns only the rows that a kind caches, so a row that is missing may come back.
        if !reading.isAll { for id in reading.unseen { self.deleted.insert(id) } }
        return reading.unseen.filter { self.revisions.removeValue(forKey: $0) != nil }.sorted()
    }

    private mutating func record(_ id: Identifier<Subject>, _ revision: Int64) -> Bool {
        guard !self.isKnown(id, revision: revision) else { return false }
        self.revisions[id] = revision
        return true
    }
}
