// A hash table with open addressing and linear probing (Knuth, volume 3, 6.4, algorithms L and R).
//
// A shard looks up a connection and a topic for every fix. The standard library's dictionary is hardened against chosen
// keys, but these keys are the server's own numbers. Multiplying by 2⁶⁴ / φ and keeping the highest bits spreads them,
// as in the core's `NumberMap`, the equivalent for values. The lowest bits alone would wrap around and collide with a
// dense run of older numbers. Connections with consecutive ids are each in their home slot.
//
// Invariants
// - At most three quarters of the slots are occupied, and there are 2ⁿ of them.
// - Between a key's home slot and its actual slot, no slot is empty.

/// A key of an `IdentityTable`.
protocol IdentityKey: Equatable {
    /// A number that is nearly unique within a table and that a client cannot choose. The table spreads it.
    var scatter: UInt64 { get }
}

/// A hash table of objects by server-assigned ids.
struct IdentityTable<Key: IdentityKey, Value: AnyObject> {
    // Two arrays, so that a search reads only keys and changes no reference counts.
    private var keys: [Key?]
    private var objects: [Value?]
    /// The right shift of the product that leaves as many bits as a slot index has.
    private let shift: UInt64
    /// The number of objects.
    private(set) var count = 0

    /// Creates an empty table.
    init() { self.init(places: 8) }

    private init(places: Int) {
        self.keys = Array(repeating: nil, count: places)
        self.objects = Array(repeating: nil, count: places)
        self.shift = UInt64(64 - places.trailingZeroBitCount)
    }

    /// Whether the table is empty.
    var isEmpty: Bool { self.count == 0 }

    /// All objects, in undefined order.
    var values: some Sequence<Value> { self.objects.lazy.compactMap { $0 } }

    /// The object of a key; nil when there is none.
    subscript(key: Key) -> Value? {
        get { self.objects[self.place(of: key)] }
        set {
            if let newValue { self.insert(newValue, for: key) } else { self.removeValue(forKey: key) }
        }
    }

    /// Prefetches the first cache lines of an object, shortly before a lookup.
    func prefetch(_ key: Key, lines: Int) { Prefetch.lines(of: self.objects, at: self.home(of: key), count: lines) }

    /// Removes and returns an object.
    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        var gap = self.place(of: key)
        guard let removed = self.objects[gap] else { return nil }
        self.empty(gap)
        self.count -= 1
        // A later key whose home slot is at or before the gap moves into the gap.
        var next = self.following(gap)
        while let other = self.keys[next] {
            if (next - self.home(of: other)) & self.mask >= (next - gap) & self.mask {
                self.keys[gap] = other
                self.objects[gap] = self.objects[next]
                self.empty(next)
                gap = next
            }
            next = self.following(next)
        }
        return removed
    }

    private mutating func empty(_ place: Int) {
        self.keys[place] = nil
        self.objects[place] = nil
    }

    private mutating func insert(_ value: Value, for key: Key) {
        var place = self.place(of: key)
        if self.keys[place] == nil {
            if 4 * (self.count + 1) > 3 * self.keys.count {
                self.grow()
                place = self.place(of: key)
            }
            self.count += 1
        }
        self.keys[place] = key
        self.objects[place] = value
    }

    private mutating func grow() {
        var wider = Self(places: 2 * self.keys.count)
        for (key, object) in zip(self.keys, self.objects) {
            if let key, let object { wider.insert(object, for: key) }
        }
        self = wider
    }

    /// Returns the slot of a key, or else the empty slot where it would be inserted.
    private func place(of key: Key) -> Int {
        var place = self.home(of: key)
        while let other = self.keys[place], other != key { place = self.following(place) }
        return place
    }

    private var mask: Int { self.keys.count - 1 }
    private func home(of key: Key) -> Int {
        Int(truncatingIfNeeded: (key.scatter &* 0x9E37_79B9_7F4A_7C15) &>> self.shift)
    }
    private func following(_ place: Int) -> Int { (place + 1) & self.mask }
}

@available(*, unavailable)
extension IdentityTable: Sendable {}
