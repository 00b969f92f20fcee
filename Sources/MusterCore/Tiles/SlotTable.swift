// Open addressing with linear probing, where a removal closes its gap at once, as in `NumberMap`. But an entry is 24
// bits of a point's slot, below 8 bits of the id's hash; the point itself stores its id. So a point costs 8 bytes here,
// and a successful look-up accesses no other point's memory.

/// A hash table that finds points of a tree by their ids.
struct SlotTable: Sendable {
    private static let absent = UInt32.max
    private static let slotBits: UInt32 = 24

    private var entries: ContiguousArray<UInt32> = []
    private var shift: UInt64 = 64

    /// The memory in bytes.
    var bytes: Int { self.entries.capacity * MemoryLayout<UInt32>.stride }

    private static func hash(_ id: Int64) -> UInt64 { UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 }

    private static func entry(_ slot: Int, _ hash: UInt64) -> UInt32 {
        // Hash bits that the index in the table does not depend on.
        UInt32(truncatingIfNeeded: hash >> 16) << Self.slotBits | UInt32(slot)
    }

    private static func slot(_ entry: UInt32) -> Int { Int(entry & (1 << Self.slotBits - 1)) }

    /// The slot of a point; nil if it does not exist.
    func find(_ id: Int64, in points: ContiguousArray<PointTree.Point>) -> Int? {
        guard let index = self.index(of: id, in: points) else { return nil }
        return Self.slot(self.entries[index])
    }

    /// Adds a new point; `count` is the number of points including it.
    mutating func insert(_ slot: Int, in points: ContiguousArray<PointTree.Point>, count: Int) {
        // At most half full, so that two of three look-ups end at the first entry.
        if 2 * count > self.entries.count {
            self.grow(points)
        } else {
            self.enter(slot, points[slot].id)
        }
    }

    /// Removes a point that is still in `points`.
    mutating func remove(_ id: Int64, in points: ContiguousArray<PointTree.Point>) {
        guard var hole = self.index(of: id, in: points) else { return }
        let mask = self.entries.count - 1
        var index = hole
        while true {
            index = (index + 1) & mask
            let entry = self.entries[index]
            guard entry != Self.absent else { break }
            // This entry may move into the hole unless its home index is after the hole.
            let home = Int(Self.hash(points[Self.slot(entry)].id) >> self.shift)
            guard (index - home) & mask >= (index - hole) & mask else { continue }
            self.entries[hole] = entry
            hole = index
        }
        self.entries[hole] = Self.absent
    }

    private func index(of id: Int64, in points: ContiguousArray<PointTree.Point>) -> Int? {
        guard !self.entries.isEmpty else { return nil }
        let hash = Self.hash(id)
        let mask = self.entries.count - 1
        var index = Int(hash >> self.shift)
        while true {
            let entry = self.entries[index]
            if entry == Self.absent { return nil }
            let slot = Self.slot(entry)
            if entry == Self.entry(slot, hash), points[slot].id == id { return index }
            index = (index + 1) & mask
        }
    }

    private mutating func enter(_ slot: Int, _ id: Int64) {
        let hash = Self.hash(id)
        let mask = self.entries.count - 1
        var index = Int(hash >> self.shift)
        while self.entries[index] != Self.absent { index = (index + 1) & mask }
        self.entries[index] = Self.entry(slot, hash)
    }

    /// Doubles the table and adds all points that are in use.
    private mutating func grow(_ points: ContiguousArray<PointTree.Point>) {
        let room = max(16, 2 * self.entries.count)
        self.entries = ContiguousArray(repeating: Self.absent, count: room)
        self.shift = UInt64(64 - room.trailingZeroBitCount)
        for slot in points.indices where points[slot].id != 0 { self.enter(slot, points[slot].id) }
    }
}
