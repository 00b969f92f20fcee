// A hash table with open addressing and linear probing (Knuth, volume 3, 6.4, algorithms L and R).
//
// A shard looks up a connection and a topic for every fix. The standard library's dictionary defends itself against keys
// that somebody chose; these are the server's own numbers. A multiplication by 2⁶⁴ / φ, of which the highest bits count,
// spreads them, as in the core's `NumberMap`, its sibling for values. The lowest bits would come round, and pile up behind a
// dense run of older numbers. Connections with ids one after the other are where they belong, each of them.
//
// Invariants
// - At most three quarters of the places are taken, and there are 2ⁿ of them.
// - Between the place where a key belongs and the one where it is, no place is empty.

/// What an `IdentityTable` finds a thing by.
protocol IdentityKey: Equatable {
    /// A number that hardly two keys of a table share, and that no client can choose; the table spreads it.
    var scatter: UInt64 { get }
}

/// Objects by the numbers that the server gave them.
struct IdentityTable<Key: IdentityKey, Value: AnyObject> {
    // Apart, so that a search reads keys alone and counts no references.
    private var keys: [Key?]
    private var objects: [Value?]
    /// What a product is shifted by so that as many bits are left as number the places.
    private let shift: UInt64
    /// The number of objects.
    private(set) var count = 0

    /// Creates a table without objects.
    init() { self.init(places: 8) }

    private init(places: Int) {
        self.keys = Array(repeating: nil, count: places)
        self.objects = Array(repeating: nil, count: places)
        self.shift = UInt64(64 - places.trailingZeroBitCount)
    }

    /// Whether there are no objects.
    var isEmpty: Bool { self.count == 0 }

    /// All objects, in no order.
    var values: some Sequence<Value> { self.objects.lazy.compactMap { $0 } }

    /// The object of a key.
    subscript(key: Key) -> Value? {
        get { self.objects[self.place(of: key)] }
        set {
            if let newValue { self.insert(newValue, for: key) } else { self.removeValue(forKey: key) }
        }
    }

    /// Asks the processor for the first lines of an object, a little before it is looked up.
    func prefetch(_ key: Key, lines: Int) { Prefetch.lines(of: self.objects, at: self.home(of: key), count: lines) }

    /// Takes an object out.
    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        var gap = self.place(of: key)
        guard let removed = self.objects[gap] else { return nil }
        self.empty(gap)
        self.count -= 1
        // Whoever comes behind the gap, and belongs before it, moves into it.
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

    /// Where a key is, or else the empty place where it could be.
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
