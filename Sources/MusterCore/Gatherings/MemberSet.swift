/// A set of members of one group, by their slots 0…255.
struct MemberSet: Hashable, Sendable {
    /// The number of slots, enough for the largest group.
    static let capacity = 256

    private var words: SIMD4<UInt64> = .zero

    /// The empty set.
    init() {}

    /// Creates a set of one member.
    init(_ slot: Int) { self.insert(slot) }

    /// Whether the set is empty.
    var isEmpty: Bool { self.words == .zero }

    /// The number of members.
    var count: Int {
        (0..<4).reduce(0) { $0 + self.words[$1].nonzeroBitCount }
    }

    /// The smallest slot; nil if the set is empty.
    var first: Int? {
        for index in 0..<4 where self.words[index] != 0 { return index * 64 + self.words[index].trailingZeroBitCount }
        return nil
    }

    // Inlined, because each fix calls them several times.
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

    /// Creates a set from up to four words of bits, the first 64 slots first.
    init(words: ArraySlice<UInt64>) {
        for (index, word) in words.enumerated() { self.words[index] = word }
    }

    /// The bits of 64 slots.
    subscript(word index: Int) -> UInt64 { self.words[index] }
}

extension MemberSet: Sequence {
    /// Iterates over the slots in rising order.
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
