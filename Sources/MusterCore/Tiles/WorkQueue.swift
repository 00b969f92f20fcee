/// A queue: first in, first out, in amortised constant time.
struct WorkQueue<Item> {
    private var items: [Item?] = []
    private var head = 0

    var isEmpty: Bool { self.head == self.items.count }

    /// The number of queued items.
    var count: Int { self.items.count - self.head }

    /// The queued items, in order.
    var waiting: some Sequence<Item> { self.items[self.head...].lazy.compactMap { $0 } }

    /// The next item; nil if the queue is empty.
    var first: Item? { self.isEmpty ? nil : self.items[self.head] }

    mutating func append(_ item: Item) { self.items.append(item) }

    /// Removes and returns the next item; nil if the queue is empty.
    @discardableResult
    mutating func popFirst() -> Item? {
        guard !self.isEmpty else { return nil }
        let item = self.items[self.head].take()
        self.head += 1
        // As many items were removed since the last move as are moved now.
        if self.head * 2 >= self.items.count {
            self.items.removeFirst(self.head)
            self.head = 0
        }
        return item
    }
}

extension WorkQueue: Sendable where Item: Sendable {}
