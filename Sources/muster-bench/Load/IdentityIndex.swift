/// Maps user ids to indices: a flat hash table with open addressing, for millions of look-ups per second.
struct IdentityIndex {
    private var keys: [Int64]
    private var values: [Int32]
    private let mask: Int

    /// Assigns indices to `identities` in their order; none of them is 0.
    init(_ identities: some Collection<Int64>) {
        var size = 16
        while size < identities.count * 2 { size *= 2 }
        self.mask = size - 1
        self.keys = Array(repeating: 0, count: size)
        self.values = Array(repeating: -1, count: size)
        for (number, key) in identities.enumerated() {
            var slot = Self.hash(key) & self.mask
            while self.keys[slot] != 0 { slot = (slot + 1) & self.mask }
            self.keys[slot] = key
            self.values[slot] = Int32(number)
        }
    }

    /// The index of an id; -1 when it is unknown.
    subscript(_ key: Int64) -> Int {
        var slot = Self.hash(key) & self.mask
        while self.keys[slot] != 0 {
            if self.keys[slot] == key { return Int(self.values[slot]) }
            slot = (slot + 1) & self.mask
        }
        return -1
    }

    private static func hash(_ key: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}
