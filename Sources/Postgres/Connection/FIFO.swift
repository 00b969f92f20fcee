/// A queue: first in, first out, in constant time.
struct FIFO<Element> {
    private var storage: [Element?] = []
    private var head = 0

    var count: Int { self.storage.count - self.head }

    var isEmpty: Bool { self.count == 0 }

    /// The oldest element.
    var first: Element? { self.isEmpty ? nil : self.storage[self.head] }

    mutating func append(_ element: Element) { self.storage.append(element) }

    mutating func popFirst() -> Element? {
        guard !self.isEmpty, let element = self.storage[self.head] else { return nil }
        self.storage[self.head] = nil
        self.head += 1
        if self.head == self.storage.count {
            self.storage.removeAll(keepingCapacity: true)
            self.head = 0
        } else if self.head > 64, self.head * 2 > self.storage.count {
            self.storage.removeFirst(self.head)
            self.head = 0
        }
        return element
    }

    /// Takes the first element that satisfies `predicate` out of the queue, in linear time.
    mutating func remove(where predicate: (Element) -> Bool) -> Element? {
        let index = self.storage[self.head...].firstIndex { element in
            guard let element else { return false }
            return predicate(element)
        }
        guard let index else { return nil }
        return self.storage.remove(at: index)
    }
}
