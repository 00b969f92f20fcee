// A hash table with linear probing (Knuth, "The Art of Computer Programming", vol. 3, 6.4, algorithms L and R). A key
// of two bytes needs no strong hash: a look-up takes a few instructions, and one in `Dictionary` about a hundred.
//
// Invariants: the capacity is a power of two or zero; at least a quarter of the slots is empty; there is no empty slot
// between a key's home slot and its actual slot.

/// A map from pairs of members to values.
struct PairTable<Value: Sendable>: Sendable {
    // No pair has this key, because two members have different slots.
    private static var empty: UInt16 { .max }

    private var keys: ContiguousArray<UInt16> = []
    /// The value of each key; undefined for an empty slot.
    private var values: ContiguousArray<Value> = []
    private(set) var count = 0

    /// Whether the table is empty.
    var isEmpty: Bool { self.count == 0 }

    /// The value of a pair; nil if there is none.
    subscript(pair: MemberPair) -> Value? {
        get { self.index(of: pair.key).map { self.values[$0] } }
        set {
            guard let newValue else { return self.remove(pair.key) }
            if let index = self.index(of: pair.key) {
                self.values[index] = newValue
            } else {
                if 4 * (self.count + 1) > 3 * self.keys.count { self.grow(filler: newValue) }
                self.add(pair.key, newValue)
            }
        }
    }

    private func home(of key: UInt16) -> Int {
        // Multiplying by 2¹⁶/φ spreads neighbouring keys (Knuth, 6.4).
        Int(key &* 40_503) & (self.keys.count - 1)
    }

    private func next(after index: Int) -> Int { (index + 1) & (self.keys.count - 1) }

    private func index(of key: UInt16) -> Int? {
        guard self.count > 0 else { return nil }
        var index = self.home(of: key)
        while self.keys[index] != Self.empty {
            if self.keys[index] == key { return index }
            index = self.next(after: index)
        }
        return nil
    }

    private mutating func add(_ key: UInt16, _ value: Value) {
        var index = self.home(of: key)
        while self.keys[index] != Self.empty { index = self.next(after: index) }
        self.keys[index] = key
        self.values[index] = value
        self.count += 1
    }

    private mutating func grow(filler: Value) {
        let old = self
        let capacity = max(8, 2 * old.keys.count)
        self.keys = ContiguousArray(repeating: Self.empty, count: capacity)
        self.values = ContiguousArray(repeating: filler, count: capacity)
        self.count = 0
        for index in old.keys.indices where old.keys[index] != Self.empty {
            self.add(old.keys[index], old.values[index])
        }
    }

    private mutating func remove(_ key: UInt16) {
        guard var hole = self.index(of: key) else { return }
        self.count -= 1
        guard self.count > 0 else {
            self = Self()
            return
        }
        var index = self.next(after: hole)
        while self.keys[index] != Self.empty {
            // An entry that the hole would cut off from its home slot moves into the hole.
            let distance = (index - self.home(of: self.keys[index])) & (self.keys.count - 1)
            if distance >= (index - hole) & (self.keys.count - 1) {
                self.keys[hole] = self.keys[index]
                self.values[hole] = self.values[index]
                hole = index
            }
            index = self.next(after: index)
        }
        self.keys[hole] = Self.empty
    }
}
