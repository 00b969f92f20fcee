/// A set of members of one group, by the slots 0…255 that the machine gave them.
struct MemberSet: Hashable, Sendable {
    /// How many slots there are, enough for the largest group.
    static let capacity = 256

    private var words: SIMD4<UInt64> = .zero

    /// The empty set.
    init() {}

    /// A set of one.
    init(_ slot: Int) { self.insert(slot) }

    /// Whether nobody is in it.
    var isEmpty: Bool { self.words == .zero }

    /// How many are in it.
    var count: Int {
        (0..<4).reduce(0) { $0 + self.words[$1].nonzeroBitCount }
    }

    /// The smallest slot in it; nil when it is empty.
    var first: Int? {
        for index in 0..<4 where self.words[index] != 0 { return index * 64 + self.words[index].trailingZeroBitCount }
        return nil
    }

    // Asked several times for each fix.
    @inline(__always)
    func contains(_ slot: Int) -> Bool { self.words[slot >> 6] >> UInt64(slot & 63) & 1 == 1 }
    @inline(__always)
    mutating func insert(_ slot: Int) { self.words[slot >> 6] |= 1 << UInt64(slot & 63) }
    @inline(__always)
    mutating func remove(_ slot: Int) { self.words[slot >> 6] &= ~(1 << UInt64(slot & 63)) }

    func intersects(_ other: Self) -> Bool { self.words & other.words != .zero }
    static func | (left: Self, right: Self) -> Self { Self(words: left.words | right.words) }
    static func & (left: Self, right: Self) -> Self { Self(words: left.words & right.words) }
    static func - (left: Self, right: Self) -> Self { Self(words: left.words & ~right.words) }

    private init(words: SIMD4<UInt64>) { self.words = words }

    // MARK: Words

    /// The set of those whose bits are set in up to four words, the first 64 slots first.
    init(words: ArraySlice<UInt64>) {
        for (index, word) in words.enumerated() { self.words[index] = word }
    }

    /// The word of 64 slots.
    subscript(word index: Int) -> UInt64 { self.words[index] }
}

extension MemberSet: Sequence {
    /// Walks the slots in rising order.
    struct Iterator: IteratorProtocol {
        fileprivate var rest: MemberSet

        mutating func next() -> Int? {
            guard let slot = self.rest.first else { return nil }
            self.rest.remove(slot)
            return slot
        }
    }

    func makeIterator() -> Iterator { Iterator(rest: self) }
    var underestimatedCount: Int { self.count }
}
