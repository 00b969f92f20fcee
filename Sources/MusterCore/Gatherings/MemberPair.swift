/// Two members of a group, by their slots.
struct MemberPair: Sendable, Hashable, Comparable {
    let lower: UInt8
    let higher: UInt8

    /// Creates the pair of two different slots, in either order.
    init(_ one: Int, _ other: Int) {
        self.lower = UInt8(min(one, other))
        self.higher = UInt8(max(one, other))
    }

    /// The pair as a hash table key.
    var key: UInt16 { UInt16(self.higher) << 8 | UInt16(self.lower) }

    static func < (left: Self, right: Self) -> Bool { (left.lower, left.higher) < (right.lower, right.higher) }
}
