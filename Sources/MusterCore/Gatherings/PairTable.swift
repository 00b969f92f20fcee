// A hash table with linear probing (Knuth, "The Art of Computer Programming", vol. 3, 6.4, algorithms L and R): a key of two
// bytes needs no strong hash, and looking one up takes a few instructions where `Dictionary` takes a hundred.
//
// Invariants: the capacity is a power of two or zero; a quarter of the places is empty at least; no empty place lies between a
// key's own place and where it is.

/// What is kept of some pairs of members.
struct PairTable<Value: Sendable>: Sendable {
    // No pair has this key: two members have different slots.
    private static var empty: UInt16 { .max }

    private var keys: ContiguousArray<UInt16> = []
    /// Beside each key what belongs to it; means nothing beside an empty place.
    private var values: ContiguousArray<Value> = []
    private(set) var count = 0

    /// Whether nothing is kept of anybody.
    var isEmpty: Bool { self.count == 0 }

    /// What is kept of a pair; nil when nothing is.
    subscript(pair: MemberPair) -> Value? {
        get { self.place(of: pair.key).map { self.values[$0] } }
        set {
            guard let newValue else { return self.remove(pair.key) }
            if let place = self.place(of: pair.key) {
                self.values[place] = newValue
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

    private func next(after place: Int) -> Int { (place + 1) & (self.keys.count - 1) }

    private func place(of key: UInt16) -> Int? {
        guard self.count > 0 else { return nil }
        var place = self.home(of: key)
        while self.keys[place] != Self.empty {
            if self.keys[place] == key { return place }
            place = self.next(after: place)
        }
        return nil
    }

    private mutating func add(_ key: UInt16, _ value: Value) {
        var place = self.home(of: key)
        while self.keys[place] != Self.empty { place = self.next(after: place) }
        self.keys[place] = key
        self.values[place] = value
        self.count += 1
    }

    private mutating func grow(filler: Value) {
        let old = self
        let capacity = max(8, 2 * old.keys.count)
        self.keys = ContiguousArray(repeating: Self.empty, count: capacity)
        self.values = ContiguousArray(repeating: filler, count: capacity)
        self.count = 0
        for place in old.keys.indices where old.keys[place] != Self.empty {
            self.add(old.keys[place], old.values[place])
        }
    }

    private mutating func remove(_ key: UInt16) {
        guard var hole = self.place(of: key) else { return }
        self.count -= 1
        guard self.count > 0 else {
            self = Self()
            return
        }
        var place = self.next(after: hole)
        while self.keys[place] != Self.empty {
            // What would be cut off from its own place by the hole moves into it.
            let distance = (place - self.home(of: self.keys[place])) & (self.keys.count - 1)
            if distance >= (place - hole) & (self.keys.count - 1) {
                self.keys[hole] = self.keys[place]
                self.values[hole] = self.values[place]
                hole = place
            }
            place = self.next(after: place)
        }
        self.keys[hole] = Self.empty
    }
}
