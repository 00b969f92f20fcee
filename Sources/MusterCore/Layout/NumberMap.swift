// Open addressing with linear probing. A removal closes its gap at once (Knuth, 6.4, algorithm R), so there are no
// tombstones. A bucket is free when its value is absent.
//
// The server assigns ids in rising order, so clients cannot choose them to collide. A multiplication by 2⁶⁴ / φ spreads
// them; the upper bits count. A look-up in `Dictionary`, which hashes against attackers, costs several times as much,
// and a fix needs a dozen.
//
// `IdentityTable` in the gateway does the same for objects; neither target depends on the other.

/// A hash map from the numbers of ids to small values.
struct NumberMap<Value: Absentable & Sendable>: Sendable {
    private static var least: Int { 8 }

    // Key and value are adjacent, so a look-up that misses the caches does so once.
    private struct Bucket: Sendable {
        var number: Int64
        var value: Value
    }

    private var buckets: ContiguousArray<Bucket> = []
    private var shift: UInt64 = 64

    /// The number of entries.
    private(set) var count = 0

    /// All numbers with their values, in no particular order.
    var entries: [(number: Int64, value: Value)] {
        self.buckets.compactMap { $0.value.isAbsent ? nil : ($0.number, $0.value) }
    }

    /// The value of a number; nil if there is none.
    subscript(number: Int64) -> Value? {
        get { self.index(of: number).map { self.buckets[$0].value } }
        set {
            guard let newValue else { return self.remove(number) }
            if let index = self.index(of: number) {
                self.buckets[index].value = newValue
            } else {
                self.insert(newValue, for: number)
            }
        }
    }

    private func home(of number: Int64) -> Int {
        Int((UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> self.shift)
    }

    private func index(of number: Int64) -> Int? {
        guard !self.buckets.isEmpty else { return nil }
        let mask = self.buckets.count - 1
        var index = self.home(of: number)
        while !self.buckets[index].value.isAbsent {
            if self.buckets[index].number == number { return index }
            index = (index + 1) & mask
        }
        return nil
    }

    private mutating func insert(_ value: Value, for number: Int64) {
        if 4 * (self.count + 1) > 3 * self.buckets.count { self.grow() }
        let mask = self.buckets.count - 1
        var index = self.home(of: number)
        while !self.buckets[index].value.isAbsent { index = (index + 1) & mask }
        self.buckets[index] = Bucket(number: number, value: value)
        self.count += 1
    }

    private mutating func remove(_ number: Int64) {
        guard var hole = self.index(of: number) else { return }
        let mask = self.buckets.count - 1
        var index = hole
        while true {
            index = (index + 1) & mask
            guard !self.buckets[index].value.isAbsent else { break }
            // This entry may move into the hole unless its home bucket is after the hole.
            let distance = (index - self.home(of: self.buckets[index].number)) & mask
            guard distance >= (index - hole) & mask else { continue }
            self.buckets[hole] = self.buckets[index]
            hole = index
        }
        self.buckets[hole].value = .absent
        self.count -= 1
    }

    private mutating func grow() {
        let entries = self.entries
        let room = max(Self.least, 2 * self.buckets.count)
        self.buckets = ContiguousArray(repeating: Bucket(number: 0, value: .absent), count: room)
        self.shift = UInt64(64 - room.trailingZeroBitCount)
        self.count = 0
        for (number, value) in entries { self.insert(value, for: number) }
    }
}
