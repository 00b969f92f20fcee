/// A queue: first in, first out, in constant time on average.
struct WorkQueue<Item> {
    private var items: [Item?] = []
    private var head = 0

    var isEmpty: Bool { self.head == self.items.count }

    /// How many wait.
    var count: Int { self.items.count - self.head }

    /// All that wait, in order.
    var waiting: some Sequence<Item> { self.items[self.head...].lazy.compactMap { $0 } }

    /// The next one; nil when none waits.
    var first: Item? { self.isEmpty ? nil : self.items[self.head] }

    mutating func append(_ item: Item) { self.items.append(item) }

    /// Takes the next one out; nil when none waits.
    @discardableResult
    mutating func popFirst() -> Item? {
        guard !self.isEmpty else { return nil }
        let item = self.items[self.head].take()
        self.head += 1
        // As many were taken out since the last time as are moved now.
        if self.head * 2 >= self.items.count {
            self.items.removeFirst(self.head)
            self.head = 0
        }
        return item
    }
}

extension WorkQueue: Sendable where Item: Sendable {}
