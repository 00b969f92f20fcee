import MusterCore

// A request commits a row and reports it afterwards. Meanwhile another request may have deleted the row and reported
// the deletion. Ids are never reused, so a deleted row stays deleted, whatever is reported later. A late report follows
// within moments, and fewer rows than `limit` are deleted in that time.

/// The most recently deleted rows of a kind.
struct RecentDeletions<Subject>: Sendable {
    /// The maximum number of ids.
    private let limit: Int
    private var ids: Set<Identifier<Subject>> = []
    /// A ring buffer of the ids in the order of deletion, which starts at `oldest`.
    ///
    /// It grows up to `limit`.
    private var order: [Identifier<Subject>] = []
    private var oldest = 0

    /// Creates an empty set.
    init(limit: Int = 65_536) { self.limit = limit }

    /// Whether a row was deleted recently.
    func contains(_ id: Identifier<Subject>) -> Bool { self.ids.contains(id) }

    /// Records that a row was deleted.
    mutating func insert(_ id: Identifier<Subject>) {
        guard self.ids.insert(id).inserted else { return }
        guard self.order.count == self.limit else {
            self.order.append(id)
            return
        }
        self.ids.remove(self.order[self.oldest])
        self.order[self.oldest] = id
        self.oldest = (self.oldest + 1) % self.limit
    }

    /// Records that a row exists after all.
    mutating func remove(_ id: Identifier<Subject>) { self.ids.remove(id) }
}
