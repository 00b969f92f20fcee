// An array that doubles is up to half empty and, while it grows, occupies three times its size. With a hundred thousand
// users, that is tens of megabytes and a copy of all elements within one batch. This list grows by one chunk.
//
// It manages its own memory instead of an array of arrays: `self[place].field` of the latter copies the whole element
// first, with a retain for each reference in it.
//
// Invariants: exactly the first `count` slots of the chunks are initialised. Every chunk except the last is full.
// Storage with several owners is copied before a change.

/// An ordered list whose memory grows and shrinks with its count, one chunk at a time.
struct ChunkedArray<Element> {
    private static var shift: Int { 6 }
    /// The number of elements of a chunk.
    static var chunkCount: Int { 1 << Self.shift }

    private final class Storage {
        // Each access goes through one value, whose exclusivity the compiler has checked already. A second dynamic
        // check makes a batch with a tick 16 % slower.
        @exclusivity(unchecked) var chunks: [UnsafeMutablePointer<Element>] = []
        @exclusivity(unchecked) var count = 0

        deinit {
            for index in 0..<self.count { self.place(index).deinitialize(count: 1) }
            for chunk in self.chunks { chunk.deallocate() }
        }

        func place(_ index: Int) -> UnsafeMutablePointer<Element> {
            precondition(index >= 0 && index < self.count, "there is no such place")
            return self.chunks[index >> ChunkedArray.shift] + (index & (ChunkedArray.chunkCount - 1))
        }

        func append(_ element: Element) {
            let offset = self.count & (ChunkedArray.chunkCount - 1)
            if offset == 0 { self.chunks.append(.allocate(capacity: ChunkedArray.chunkCount)) }
            (self.chunks[self.chunks.count - 1] + offset).initialize(to: element)
            self.count += 1
        }

        func removeLast() -> Element {
            let element = self.place(self.count - 1).move()
            self.count -= 1
            if self.count & (ChunkedArray.chunkCount - 1) == 0 { self.chunks.removeLast().deallocate() }
            return element
        }

        func copy() -> Storage {
            let other = Storage()
            for index in 0..<self.count { other.append(self.place(index).pointee) }
            return other
        }
    }

    private var storage = Storage()

    /// The number of elements.
    var count: Int { self.storage.count }

    /// Whether the list is empty.
    var isEmpty: Bool { self.count == 0 }

    /// All indices.
    var indices: Range<Int> { 0..<self.count }

    // Addressors instead of `_read` and `_modify`: a call of those that is not inlined allocates its frame on the heap,
    // three times per fix (`scripts/allocations`).
    /// The element at an index.
    subscript(index: Int) -> Element {
        unsafeAddress { self.address(of: index) }
        unsafeMutableAddress { self.mutableAddress(of: index) }
    }

    /// The address of an element, valid until the list changes.
    func address(of index: Int) -> UnsafePointer<Element> { UnsafePointer(self.storage.place(index)) }

    /// The mutable address of an element, valid until the list changes.
    mutating func mutableAddress(of index: Int) -> UnsafeMutablePointer<Element> {
        self.own()
        return self.storage.place(index)
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        self.own()
        self.storage.append(element)
    }

    /// Removes the last element; the list must not be empty.
    @discardableResult
    mutating func removeLast() -> Element {
        self.own()
        return self.storage.removeLast()
    }

    /// Removes the element at `index`; the last element moves there.
    @discardableResult
    mutating func swapRemove(at index: Int) -> Element {
        let last = self.removeLast()
        guard index < self.count else { return last }
        var element = last
        swap(&element, &self[index])
        return element
    }

    /// Exchanges two elements.
    mutating func swapAt(_ one: Int, _ other: Int) {
        guard one != other else { return }
        let element = self[one]
        self[one] = self[other]
        self[other] = element
    }

    private mutating func own() {
        if !isKnownUniquelyReferenced(&self.storage) { self.storage = self.storage.copy() }
    }
}
