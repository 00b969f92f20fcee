/// A first-in, first-out queue.
///
/// The amortised cost of an append and of a removal does not depend on the length. An emptied queue frees a large
/// buffer and keeps a small one for reuse.
///
/// Inlinable throughout for the same reason as `Mailbox`.
package struct ArrivalQueue<Element> {
    /// The largest capacity that an emptied queue keeps.
    @usableFromInline
    static var capacityToKeep: Int { 1024 }

    @usableFromInline
    var elements: [Element] = []
    /// The index of the first element.
    ///
    /// The elements before it have been removed.
    @usableFromInline
    var next = 0

    /// Creates an empty queue.
    @inlinable
    package init() {}

    /// The number of elements.
    @inlinable
    package var count: Int { self.elements.count - self.next }

    /// Whether the queue is empty.
    @inlinable
    package var isEmpty: Bool { self.next == self.elements.count }

    /// The oldest element; nil when the queue is empty.
    @inlinable
    package var first: Element? { self.isEmpty ? nil : self.elements[self.next] }

    /// Enqueues an element.
    @inlinable
    package mutating func append(_ element: Element) { self.elements.append(element) }

    /// Removes and returns the oldest element; nil when the queue is empty.
    @inlinable
    package mutating func popFirst() -> Element? { self.popFirst { _ in true } }

    /// Removes and returns the oldest element if `isDue` accepts it; nil otherwise, or when the queue is empty.
    @inlinable
    package mutating func popFirst(where isDue: (borrowing Element) -> Bool) -> Element? {
        guard !self.isEmpty, isDue(self.elements[self.next]) else { return nil }
        let first = self.elements[self.next]
        self.next += 1
        // Compacts once half of the array is removed elements, so that each element moves once on average.
        if 2 * self.next >= self.elements.count { self.dropRemoved() }
        return first
    }

    /// Removes and returns the oldest element that satisfies `predicate`, in linear time; nil when there is none.
    @inlinable
    package mutating func removeFirst(where predicate: (borrowing Element) -> Bool) -> Element? {
        guard let place = self.elements[self.next...].firstIndex(where: { predicate($0) }) else { return nil }
        let removed = self.elements.remove(at: place)
        if self.isEmpty { self.dropRemoved() }
        return removed
    }

    @inlinable
    mutating func dropRemoved() {
        if self.isEmpty {
            self.elements.removeAll(keepingCapacity: self.elements.capacity <= Self.capacityToKeep)
        } else {
            self.elements.removeFirst(self.next)
        }
        self.next = 0
    }
}

extension ArrivalQueue: Sendable where Element: Sendable {}
