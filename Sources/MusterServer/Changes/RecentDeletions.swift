import MusterCore

// A request commits a row and then tells of it; another, meanwhile, may have deleted it and have told of that. An id is never
// used again, so what is deleted stays deleted, whatever is told of it later. Who tells so late does it within moments, and in
// those fewer are deleted than are kept here.

/// The rows of a kind that were deleted last.
struct RecentDeletions<Subject>: Sendable {
    /// How many are kept.
    private let limit: Int
    private var ids: Set<Identifier<Subject>> = []
    /// The ids, in the order of deletion from `oldest` on and round; as long as `ids` until there are too many.
    private var order: [Identifier<Subject>] = []
    private var oldest = 0

    /// Nothing was deleted.
    init(limit: Int = 65_536) { self.limit = limit }

    /// Whether a row was deleted of late.
    func contains(_ id: Identifier<Subject>) -> Bool { self.ids.contains(id) }

    /// Notes that a row was deleted.
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

    /// Notes that a row is there after all.
    mutating func remove(_ id: Identifier<Subject>) { self.ids.remove(id) }
}
