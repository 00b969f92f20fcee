import MusterCore

// Rows come in two ways: from a request of this process that has just changed one, and from reading them again. Which of two
// was read first nobody can tell but by the revision, and a row that is gone has none: what is told to be gone while something is
// being read stays gone, for an id is never used again. A request may also tell what it wrote after somebody else told that it
// is gone; so ids that went of late are remembered, until a reading that began later finds the row after all.

/// Which rows of a kind this process holds, and in which revision: decides what of all that is read is news.
///
/// A value; its owner reads one thing at a time between `beginReading` and `endReading`.
struct HeldRevisions<Subject> {
    private struct Reading {
        /// Rows that must be among those that are read, or are gone.
        var unseen: Set<Identifier<Subject>>
        /// Rows that were told to be gone meanwhile.
        var gone: Set<Identifier<Subject>> = []
        /// Whether it is of all rows.
        let isAll: Bool
    }

    private var revisions: [Identifier<Subject>: Int64] = [:]
    private var reading: Reading?
    /// Rows that went of late: more than go while a request is under way.
    private var deleted = RecentDeletions<Subject>(limit: 4_096)

    /// How many rows are held.
    var count: Int { self.revisions.count }

    /// Whether that revision of a row is held, or a newer one.
    func isKnown(_ id: Identifier<Subject>, revision: Int64) -> Bool {
        self.revisions[id].map { $0 >= revision } ?? false
    }

    /// Takes in a row as somebody has just written it.
    ///
    /// - Returns: whether it is news.
    mutating func put(_ id: Identifier<Subject>, revision: Int64) -> Bool {
        guard !self.deleted.contains(id) else { return false }
        self.reading?.unseen.remove(id)
        return self.record(id, revision)
    }

    /// Takes out a row that somebody has just deleted.
    ///
    /// - Returns: whether it was held.
    mutating func remove(_ id: Identifier<Subject>) -> Bool {
        self.deleted.insert(id)
        self.reading?.gone.insert(id)
        return self.revisions.removeValue(forKey: id) != nil
    }

    /// Begins to read some rows again, or with nil all.
    mutating func beginReading(of ids: [Identifier<Subject>]?) {
        self.reading = Reading(unseen: ids.map { Set($0) } ?? Set(self.revisions.keys), isAll: ids == nil)
    }

    /// Takes in a row that was read.
    ///
    /// - Returns: whether it is news.
    mutating func read(_ id: Identifier<Subject>, revision: Int64) -> Bool {
        guard self.reading?.gone.contains(id) != true else { return false }
        self.reading?.unseen.remove(id)
        self.deleted.remove(id)
        return self.record(id, revision)
    }

    /// The rows that were not seen yet by the reading at work, in the order of their ids.
    var unseen: [Identifier<Subject>] { self.reading?.unseen.sorted() ?? [] }

    /// Holds a row no more, which is not gone.
    mutating func forget(_ id: Identifier<Subject>) {
        self.reading?.unseen.remove(id)
        self.revisions[id] = nil
    }

    /// Ends a reading that saw all that it was to see.
    ///
    /// - Returns: the rows that were held and are gone.
    mutating func endReading() -> [Identifier<Subject>] {
        guard let reading = self.reading.take() else { return [] }
        // Of all rows only those are read that a kind is to hold: who is not among them may come back.
        if !reading.isAll { for id in reading.unseen { self.deleted.insert(id) } }
        return reading.unseen.filter { self.revisions.removeValue(forKey: $0) != nil }.sorted()
    }

    private mutating func record(_ id: Identifier<Subject>, _ revision: Int64) -> Bool {
        guard !self.isKnown(id, revision: revision) else { return false }
        self.revisions[id] = revision
        return true
    }
}
