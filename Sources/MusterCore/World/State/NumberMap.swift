// Open addressing with linear probing; what is taken out is closed up at once (Knuth, 6.4, algorithm R), so there are no
// tombstones. A bucket is free when its value is absent.
//
// Ids are made by the server and rise, so nobody can choose them to collide: a multiplication by 2⁶⁴ / φ, of which the
// upper bits count, spreads them. A look-up of `Dictionary`, which hashes against attackers, costs several times as
// much, and a fix takes a dozen.

/// Small values under the numbers of ids.
struct NumberMap<Value: Absentable> {
    private static var least: Int { 8 }

    private var numbers: ContiguousArray<Int64> = []
    private var values: ContiguousArray<Value> = []
    private var shift: UInt64 = 64

    /// How many there are.
    private(set) var count = 0

    /// All numbers with their values, in no order that means anything.
    var entries: [(number: Int64, value: Value)] {
        self.numbers.indices.compactMap { self.values[$0].isAbsent ? nil : (self.numbers[$0], self.values[$0]) }
    }

    /// The value under a number; nil when there is none.
    subscript(number: Int64) -> Value? {
        get { self.place(of: number).map { self.values[$0] } }
        set {
            guard let newValue else { return self.remove(number) }
            if let place = self.place(of: number) {
                self.values[place] = newValue
            } else {
                self.insert(newValue, for: number)
            }
        }
    }

    private func home(of number: Int64) -> Int {
        Int((UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> self.shift)
    }

    private func place(of number: Int64) -> Int? {
        guard !self.numbers.isEmpty else { return nil }
        let mask = self.numbers.count - 1
        var place = self.home(of: number)
        while !self.values[place].isAbsent {
            if self.numbers[place] == number { return place }
            place = (place + 1) & mask
        }
        return nil
    }

    private mutating func insert(_ value: Value, for number: Int64) {
        if 4 * (self.count + 1) > 3 * self.numbers.count { self.grow() }
        let mask = self.numbers.count - 1
        var place = self.home(of: number)
        while !self.values[place].isAbsent { place = (place + 1) & mask }
        self.numbers[place] = number
        self.values[place] = value
        self.count += 1
    }

    private mutating func remove(_ number: Int64) {
        guard var hole = self.place(of: number) else { return }
        let mask = self.numbers.count - 1
        var place = hole
        while true {
            place = (place + 1) & mask
            guard !self.values[place].isAbsent else { break }
            // What lies here may move into the hole unless it belongs behind it.
            let distance = (place - self.home(of: self.numbers[place])) & mask
            guard distance >= (place - hole) & mask else { continue }
            self.numbers[hole] = self.numbers[place]
            self.values[hole] = self.values[place]
            hole = place
        }
        self.values[hole] = .absent
        self.count -= 1
    }

    private mutating func grow() {
        let entries = self.entries
        let room = max(Self.least, 2 * self.numbers.count)
        self.numbers = ContiguousArray(repeating: 0, count: room)
        self.values = ContiguousArray(repeating: .absent, count: room)
        self.shift = UInt64(64 - room.trailingZeroBitCount)
        self.count = 0
        for (number, value) in entries { self.insert(value, for: number) }
    }
}
