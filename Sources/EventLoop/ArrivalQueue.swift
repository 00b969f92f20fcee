/// What waits in the order in which it came.
///
/// Amortised, appending and taking out cost the same however much waits. A crowd's memory is given back when all of it
/// has been taken out; that of a few is kept for the next.
///
/// Inlinable throughout for the same reason as `Mailbox`.
package struct ArrivalQueue<Element> {
    /// Room for so many is kept.
    @usableFromInline
    static var roomToKeep: Int { 1024 }

    @usableFromInline
    var elements: [Element] = []
    /// Those before this one have been taken out.
    @usableFromInline
    var next = 0

    /// Creates a queue in which nothing waits.
    @inlinable
    package init() {}

    /// How many wait.
    @inlinable
    package var count: Int { self.elements.count - self.next }

    /// Whether nothing waits.
    @inlinable
    package var isEmpty: Bool { self.next == self.elements.count }

    /// What has waited longest; nil when nothing waits.
    @inlinable
    package var first: Element? { self.isEmpty ? nil : self.elements[self.next] }

    /// Lets something wait.
    @inlinable
    package mutating func append(_ element: Element) { self.elements.append(element) }

    /// Takes out what has waited longest; nil when nothing waits.
    @inlinable
    package mutating func popFirst() -> Element? { self.popFirst { _ in true } }

    /// Takes out what has waited longest if `isDue` says so; nil when it does not, or nothing waits.
    @inlinable
    package mutating func popFirst(where isDue: (borrowing Element) -> Bool) -> Element? {
        guard !self.isEmpty, isDue(self.elements[self.next]) else { return nil }
        let first = self.elements[self.next]
        self.next += 1
        // Once they are half of the array: each element is moved once on average.
        if 2 * self.next >= self.elements.count { self.dropRemoved() }
        return first
    }

    /// Takes out the one that has waited longest of those of which `predicate` holds, in linear time; nil when there is none.
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
            self.elements.removeAll(keepingCapacity: self.elements.capacity <= Self.roomToKeep)
        } else {
            self.elements.removeFirst(self.next)
        }
        self.next = 0
    }
}

extension ArrivalQueue: Sendable where Element: Sendable {}
