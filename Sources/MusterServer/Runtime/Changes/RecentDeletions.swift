/// The most recently deleted rows of a kind, by id.
struct RecentDeletions: Sendable {
    /// The maximum number of ids.
    private let limit: Int
    private var ids: Set<Int64> = []
    /// A ring buffer of the ids in the order of deletion, which starts at `oldest`.
    ///
    /// It grows up to `limit`.
    private var order: [Int64] = []
    private var oldest = 0

    /// Creates an empty set.
    init(limit: Int) { self.limit = limit }

    /// Whether a row was deleted recently.
    func contains(_ id: Int64) -> Bool { self.ids.contains(id) }

    /// Records that a row was deleted.
    mutating func insert(_ id: Int64) {
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
    mutating func remove(_ id: Int64) { self.ids.remove(id) }
}
