// Areas lie in grids by the size of a circle that holds them: level ℓ has those of up to 160 · 2^ℓ metres, in cells that are
// at least as high. An area is filed once, under the cell of its middle; so a point is in no area of a level whose middle is
// farther than a cell's height, and a search looks at some ten cells a level that is in use.
//
// A move within a cell writes the middle and nothing else: the entries of a person are a list that starts from one look-up,
// and each knows the bounds of its cell.
//
// Invariants: `slots` names every entry in use; an entry with a middle is in the list of its cell, at `place`, and no other;
// `population` counts these by level; no list is empty.

/// Areas of interest, found by a point in them.
///
/// Finding costs what lies nearby, however many areas there are; a person who moves costs a look-up, also when many areas
/// follow them.
package struct AreaIndex {
    /// An interest that a point concerns.
    package struct Hit: Equatable {
        package var interest: AreaInterest
        /// Metres from the middle of a circle; nil for other shapes.
        package var distance: Double?
    }

    private struct Entry {
        let interest: AreaInterest
        let area: Area
        let level: Int
        var middle: Coordinate
        /// Where it is filed; nil as long as nobody knows where the person is.
        var cell: Int?
        /// Its index in the list of that cell.
        var place = 0
        var bounds = SphereGrid.Bounds.none
        /// The next area that follows the same person.
        var next: UInt32?
    }

    private static let smallest = 160.0
    private static let levelBits = 56
    private static let grids: [SphereGrid] = {
        var grids: [SphereGrid] = []
        var height = Self.smallest
        repeat {
            let rows = max(1, Int(180 * Coordinate.metresPerDegree / height))
            grids.append(SphereGrid(rows: rows))
            height *= 2
        } while (grids.last?.cellHeight ?? 0) < .pi * Coordinate.earthRadius * 0.999
        return grids
    }()

    private var entries: [Entry?] = []
    private var free: [UInt32] = []
    private var slots: [AreaInterest: UInt32] = [:]
    /// The first area that follows each person.
    private var followers = NumberMap<UInt32>()
    private var cells: [Int: [UInt32]] = [:]
    private var population = Array(repeating: 0, count: Self.grids.count)

    /// Knows no areas.
    package init() {}

    /// How many areas there are.
    package var count: Int { self.slots.count }

    /// Watches an area, in place of the one that the interest had.
    ///
    /// - Parameters:
    ///   - interest: whose it is.
    ///   - area: where.
    ///   - position: where the person whom the area follows is; nil when nobody knows, and then it is nowhere until they move.
    package mutating func insert(_ interest: AreaInterest, _ area: Area, at position: Coordinate? = nil) {
        self.remove(interest)
        let level = Self.level(for: area.reach)
        let middle = area.followed == nil ? area.middle : position
        var entry = Entry(
            interest: interest,
            area: area,
            level: level,
            middle: middle ?? Coordinate(latitude: 0, longitude: 0)
        )
        if let user = area.followed { entry.next = self.followers[user.rawValue] }
        let slot = self.free.popLast() ?? UInt32(self.entries.count)
        if Int(slot) == self.entries.count { self.entries.append(entry) } else { self.entries[Int(slot)] = entry }
        self.slots[interest] = slot
        if let user = area.followed { self.followers[user.rawValue] = slot }
        if middle != nil { self.file(slot) }
    }

    /// Watches nothing for an interest any more.
    package mutating func remove(_ interest: AreaInterest) {
        guard let slot = self.slots.removeValue(forKey: interest) else { return }
        self.unfile(slot)
        if let entry = self.entries[Int(slot)], let user = entry.area.followed {
            self.unlink(slot, entry.next, of: user)
        }
        self.entries[Int(slot)] = nil
        self.free.append(slot)
    }

    /// Whether an interest has an area that is somewhere.
    package func isPlaced(_ interest: AreaInterest) -> Bool {
        self.slots[interest].map { self.entries[Int($0)]?.cell != nil } ?? false
    }

    /// Takes the areas that follow a person along.
    ///
    /// - Returns: whether one of them was nowhere before.
    @discardableResult
    package mutating func move(_ user: UserID, to position: Coordinate) -> Bool {
        var slot = self.followers[user.rawValue]
        var isFirst = false
        while let current = slot {
            let index = Int(current)
            self.entries[index]?.middle = position
            if self.entries[index]?.bounds.contains(position) == false {
                if self.entries[index]?.cell == nil { isFirst = true }
                self.unfile(current)
                self.file(current)
            }
            slot = self.entries[index]?.next
        }
        return isFirst
    }

    /// The interests in a subject that something at a point concerns.
    package func hits(at point: Coordinate, of subject: AreaSubject) -> [Hit] {
        var hits: [Hit] = []
        for level in Self.grids.indices where self.population[level] > 0 {
            let grid = Self.grids[level]
            grid.forEachCell(touching: point, within: grid.cellHeight) { cell in
                guard let list = self.cells[Self.key(cell, level)] else { return }
                for slot in list {
                    guard let entry = self.entries[Int(slot)], entry.interest.subject == subject,
                        entry.area.contains(point, around: entry.middle)
                    else { continue }
                    hits.append(Hit(interest: entry.interest, distance: Self.distance(of: entry, to: point)))
                }
            }
        }
        return hits
    }

    // MARK: Cells

    private static func distance(of entry: Entry, to point: Coordinate) -> Double? {
        switch entry.area {
        case .around, .circle: entry.middle.distance(to: point)
        case .box, .everywhere: nil
        }
    }

    private static func level(for reach: Double) -> Int {
        self.grids.firstIndex { $0.cellHeight >= reach } ?? self.grids.count - 1
    }

    private static func key(_ cell: Int, _ level: Int) -> Int { level << self.levelBits | cell }

    private mutating func file(_ slot: UInt32) {
        guard let entry = self.entries[Int(slot)] else { return }
        let grid = Self.grids[entry.level]
        let cell = grid.cell(of: entry.middle)
        let key = Self.key(cell, entry.level)
        self.entries[Int(slot)]?.cell = key
        self.entries[Int(slot)]?.bounds = grid.bounds(of: cell)
        self.entries[Int(slot)]?.place = self.cells[key]?.count ?? 0
        self.cells[key, default: []].append(slot)
        self.population[entry.level] += 1
    }

    private mutating func unfile(_ slot: UInt32) {
        guard let entry = self.entries[Int(slot)], let key = entry.cell else { return }
        self.entries[Int(slot)]?.cell = nil
        self.population[entry.level] -= 1
        // The last of the list takes its place.
        guard let last = self.cells[key]?.popLast() else { return }
        if last != slot {
            self.cells[key]?[entry.place] = last
            self.entries[Int(last)]?.place = entry.place
        }
        if self.cells[key]?.isEmpty == true { self.cells[key] = nil }
    }

    private mutating func unlink(_ slot: UInt32, _ next: UInt32?, of user: UserID) {
        guard var before = self.followers[user.rawValue] else { return }
        if before == slot {
            self.followers[user.rawValue] = next
            return
        }
        while let after = self.entries[Int(before)]?.next, after != slot { before = after }
        self.entries[Int(before)]?.next = next
    }
}
