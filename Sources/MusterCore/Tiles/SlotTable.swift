// Open addressing with linear probing, closed up at once when something is taken out, as in `NumberMap`; but an entry is only
// the slot of a point, which knows its id itself, with 8 bits of the id's hash above it. So a point costs 8 bytes here, and a
// look-up that finds it touches no other point's memory.

/// Finds points of a tree by their ids.
struct SlotTable: Sendable {
    private static let absent = UInt32.max
    private static let slotBits: UInt32 = 24

    private var entries: ContiguousArray<UInt32> = []
    private var shift: UInt64 = 64

    /// Memory in bytes.
    var bytes: Int { self.entries.capacity * MemoryLayout<UInt32>.stride }

    private static func hash(_ id: Int64) -> UInt64 { UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 }

    private static func entry(_ slot: Int, _ hash: UInt64) -> UInt32 {
        // Bits that the place in the table does not depend on.
        UInt32(truncatingIfNeeded: hash >> 16) << Self.slotBits | UInt32(slot)
    }

    private static func slot(_ entry: UInt32) -> Int { Int(entry & (1 << Self.slotBits - 1)) }

    /// The slot of a point; nil when it isn't there.
    func find(_ id: Int64, in points: ContiguousArray<PointTree.Point>) -> Int? {
        guard let place = self.place(of: id, in: points) else { return nil }
        return Self.slot(self.entries[place])
    }

    /// Enters a point that is not there yet; `count` is how many there are then.
    mutating func insert(_ slot: Int, in points: ContiguousArray<PointTree.Point>, count: Int) {
        // Half full at most: then two of three look-ups end at the first entry.
        if 2 * count > self.entries.count {
            self.grow(points)
        } else {
            self.enter(slot, points[slot].id)
        }
    }

    /// Takes a point out that is still in `points`.
    mutating func remove(_ id: Int64, in points: ContiguousArray<PointTree.Point>) {
        guard var hole = self.place(of: id, in: points) else { return }
        let mask = self.entries.count - 1
        var place = hole
        while true {
            place = (place + 1) & mask
            let entry = self.entries[place]
            guard entry != Self.absent else { break }
            // What lies here may move into the hole unless it belongs behind it.
            let home = Int(Self.hash(points[Self.slot(entry)].id) >> self.shift)
            guard (place - home) & mask >= (place - hole) & mask else { continue }
            self.entries[hole] = entry
            hole = place
        }
        self.entries[hole] = Self.absent
    }

    private func place(of id: Int64, in points: ContiguousArray<PointTree.Point>) -> Int? {
        guard !self.entries.isEmpty else { return nil }
        let hash = Self.hash(id)
        let mask = self.entries.count - 1
        var place = Int(hash >> self.shift)
        while true {
            let entry = self.entries[place]
            if entry == Self.absent { return nil }
            let slot = Self.slot(entry)
            if entry == Self.entry(slot, hash), points[slot].id == id { return place }
            place = (place + 1) & mask
        }
    }

    private mutating func enter(_ slot: Int, _ id: Int64) {
        let hash = Self.hash(id)
        let mask = self.entries.count - 1
        var place = Int(hash >> self.shift)
        while self.entries[place] != Self.absent { place = (place + 1) & mask }
        self.entries[place] = Self.entry(slot, hash)
    }

    /// Doubles the table and enters all points that are in use.
    private mutating func grow(_ points: ContiguousArray<PointTree.Point>) {
        let room = max(16, 2 * self.entries.count)
        self.entries = ContiguousArray(repeating: Self.absent, count: room)
        self.shift = UInt64(64 - room.trailingZeroBitCount)
        for slot in points.indices where points[slot].id != 0 { self.enter(slot, points[slot].id) }
    }
}
