// One array that doubles is up to half empty and, while it grows, there three times over; with a hundred thousand people
// that is tens of megabytes, and a copy of all of them within one turn. Chunks grow by one.
//
// Memory of our own and not arrays in an array: `self[place].field` of those copies the whole element out first, with a
// retain for each reference in it.
//
// Invariants: elements are initialised in the first `count` places of the chunks, and nowhere else; every chunk but the
// last is full. A storage with several owners is copied before it is changed.

/// An ordered list whose memory grows and shrinks with what is in it, a chunk at a time.
struct ChunkedArray<Element> {
    private static var shift: Int { 6 }
    /// Elements of one chunk.
    static var chunkCount: Int { 1 << Self.shift }

    private final class Storage {
        // Reached through one value at a time, which the compiler has checked already; to check it anew makes a turn with a tick
        // take 16 % longer.
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

    /// How many elements there are.
    var count: Int { self.storage.count }

    /// Whether there are none.
    var isEmpty: Bool { self.count == 0 }

    /// All places.
    var indices: Range<Int> { 0..<self.count }

    // Addresses and not `_read` and `_modify`: those need a frame, which comes from the heap when they are called and not
    // inlined, three times for each fix (`scripts/allocations`).
    /// The element at a place.
    subscript(index: Int) -> Element {
        unsafeAddress { self.address(of: index) }
        unsafeMutableAddress { self.mutableAddress(of: index) }
    }

    /// Where an element lies until the list changes.
    func address(of index: Int) -> UnsafePointer<Element> { UnsafePointer(self.storage.place(index)) }

    /// The same, to change it.
    mutating func mutableAddress(of index: Int) -> UnsafeMutablePointer<Element> {
        self.own()
        return self.storage.place(index)
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        self.own()
        self.storage.append(element)
    }

    /// Takes the last element out; there must be one.
    @discardableResult
    mutating func removeLast() -> Element {
        self.own()
        return self.storage.removeLast()
    }

    /// Takes out the element at `index`; the last one moves there.
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
