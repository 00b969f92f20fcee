// Open addressing with linear probing; what is taken out is closed up at once (Knuth, 6.4, algorithm R), so there are no
// tombstones. A bucket is free when its value is absent.
//
// Ids are made by the server and rise, so nobody can choose them to collide: a multiplication by 2⁶⁴ / φ, of which the
// upper bits count, spreads them. A look-up of `Dictionary`, which hashes against attackers, costs several times as
// much, and a fix takes a dozen.
//
// The gateway's `IdentityTable` is its sibling for objects; neither target knows the other.

/// Small values under the numbers of ids.
struct NumberMap<Value: Absentable & Sendable>: Sendable {
    private static var least: Int { 8 }

    // Side by side: a look-up that misses the caches does so once.
    private struct Bucket: Sendable {
        var number: Int64
        var value: Value
    }

    private var buckets: ContiguousArray<Bucket> = []
    private var shift: UInt64 = 64

    /// How many there are.
    private(set) var count = 0

    /// All numbers with their values, in no order that means anything.
    var entries: [(number: Int64, value: Value)] {
        self.buckets.compactMap { $0.value.isAbsent ? nil : ($0.number, $0.value) }
    }

    /// The value under a number; nil when there is none.
    subscript(number: Int64) -> Value? {
        get { self.place(of: number).map { self.buckets[$0].value } }
        set {
            guard let newValue else { return self.remove(number) }
            if let place = self.place(of: number) {
                self.buckets[place].value = newValue
            } else {
                self.insert(newValue, for: number)
            }
        }
    }

    private func home(of number: Int64) -> Int {
        Int((UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> self.shift)
    }

    private func place(of number: Int64) -> Int? {
        guard !self.buckets.isEmpty else { return nil }
        let mask = self.buckets.count - 1
        var place = self.home(of: number)
        while !self.buckets[place].value.isAbsent {
            if self.buckets[place].number == number { return place }
            place = (place + 1) & mask
        }
        return nil
    }

    private mutating func insert(_ value: Value, for number: Int64) {
        if 4 * (self.count + 1) > 3 * self.buckets.count { self.grow() }
        let mask = self.buckets.count - 1
        var place = self.home(of: number)
        while !self.buckets[place].value.isAbsent { place = (place + 1) & mask }
        self.buckets[place] = Bucket(number: number, value: value)
        self.count += 1
    }

    private mutating func remove(_ number: Int64) {
        guard var hole = self.place(of: number) else { return }
        let mask = self.buckets.count - 1
        var place = hole
        while true {
            place = (place + 1) & mask
            guard !self.buckets[place].value.isAbsent else { break }
            // What lies here may move into the hole unless it belongs behind it.
            let distance = (place - self.home(of: self.buckets[place].number)) & mask
            guard distance >= (place - hole) & mask else { continue }
            self.buckets[hole] = self.buckets[place]
            hole = place
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
