// One array that doubles is up to half empty and, while it grows, there three times over; with a hundred thousand people
// that is tens of megabytes, and a copy of all of them within one turn. Chunks cost a second look-up and grow by one.
//
// Invariants: every chunk but the last is full; each was allocated with room for exactly `chunkCount`.

/// An ordered list whose memory grows and shrinks with what is in it, a chunk at a time.
struct ChunkedArray<Element> {
    private static var shift: Int { 6 }
    /// Elements of one chunk.
    static var chunkCount: Int { 1 << Self.shift }

    private var chunks: ContiguousArray<ContiguousArray<Element>> = []

    /// How many elements there are.
    private(set) var count = 0

    /// Whether there are none.
    var isEmpty: Bool { self.count == 0 }

    /// All places.
    var indices: Range<Int> { 0..<self.count }

    /// The element at a place.
    subscript(index: Int) -> Element {
        _read { yield self.chunks[index >> Self.shift][index & (Self.chunkCount - 1)] }
        _modify { yield &self.chunks[index >> Self.shift][index & (Self.chunkCount - 1)] }
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        if self.count & (Self.chunkCount - 1) == 0 {
            var chunk: ContiguousArray<Element> = []
            chunk.reserveCapacity(Self.chunkCount)
            self.chunks.append(chunk)
        }
        self.chunks[self.chunks.count - 1].append(element)
        self.count += 1
    }

    /// Takes the last element out; there must be one.
    @discardableResult
    mutating func removeLast() -> Element {
        let last = self.chunks.count - 1
        let element = self.chunks[last].removeLast()
        self.count -= 1
        if self.chunks[last].isEmpty { self.chunks.removeLast() }
        return element
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
}
