// Areas lie in grids by the size of a circle that holds them: level ℓ has those of up to 160 · 2^ℓ metres, in cells that are
// at least as high. An area is filed once, under the cell of its middle; so a point is in no area of a level whose middle is
// farther than a cell's height, and a search looks at some ten cells a level that is in use.
//
// A search reads the lists of these cells one after the other: what lies in them says whose an area is, where, and how large,
// which is all of a circle; the entry of another shape is looked up when the point is in the circle that holds it. A move within a cell writes its middle there and nothing else: the areas of a person
// are a list that starts from one look-up, and each knows its place and the bounds of its cell.
//
// Invariants: `slots` names every entry in use; an entry that is somewhere has its item in `lists[list]`, at `place`, and in no
// other; `cells` names the lists that are not empty, and `freeLists` the others; `population` counts items by level.

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

    /// An area as a search sees it.
    private struct Item {
        var middle: Coordinate
        /// The radius of a circle that holds the area; of a circle, its own.
        let reach: Double
        let interest: AreaInterest
        let isCircle: Bool
        let slot: UInt32
    }

    private struct Entry {
        let interest: AreaInterest
        let area: Area
        let reach: Double
        let level: Int
        /// Under which number its cell is found.
        var cell = 0
        /// Where it is filed; nil as long as nobody knows where the person is.
        var list: UInt32?
        /// Its index in that list.
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

    /// Those that are in no use are in `free`.
    private var entries: [Entry] = []
    private var free: [UInt32] = []
    private var slots: [AreaInterest: UInt32] = [:]
    /// The first area that follows each person.
    private var followers = NumberMap<UInt32>()
    private var cells = NumberMap<UInt32>()
    private var lists: [[Item]] = []
    private var freeLists: [UInt32] = []
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
        let reach = area.reach
        var entry = Entry(interest: interest, area: area, reach: reach, level: Self.level(for: reach))
        if let user = area.followed { entry.next = self.followers[user.rawValue] }
        let slot = self.free.popLast() ?? UInt32(self.entries.count)
        if Int(slot) == self.entries.count { self.entries.append(entry) } else { self.entries[Int(slot)] = entry }
        self.slots[interest] = slot
        if let user = area.followed { self.followers[user.rawValue] = slot }
        if let middle = area.followed == nil ? area.middle : position { self.file(slot, at: middle) }
    }

    /// Watches nothing for an interest any more.
    package mutating func remove(_ interest: AreaInterest) {
        guard let slot = self.slots.removeValue(forKey: interest) else { return }
        self.unfile(slot)
        if let user = self.entries[Int(slot)].area.followed { self.unlink(slot, of: user) }
        self.free.append(slot)
    }

    /// Whether an interest has an area that is somewhere.
    package func isPlaced(_ interest: AreaInterest) -> Bool {
        self.slots[interest].map { self.entries[Int($0)].list != nil } ?? false
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
            if let list = self.entries[index].list, self.entries[index].bounds.contains(position) {
                self.lists[Int(list)][self.entries[index].place].middle = position
            } else {
                if self.entries[index].list == nil { isFirst = true }
                self.unfile(current)
                self.file(current, at: position)
            }
            slot = self.entries[index].next
        }
        return isFirst
    }

    /// The interests in a subject that something at a point concerns.
    package func hits(at point: Coordinate, of subject: AreaSubject) -> [Hit] {
        var hits: [Hit] = []
        for level in Self.grids.indices where self.population[level] > 0 {
            let grid = Self.grids[level]
            let sieve = DistanceSieve(around: point, within: grid.cellHeight)
            grid.forEachCell(touching: point, within: grid.cellHeight) { cell in
                guard let list = self.cells[Self.number(of: cell, level)] else { return }
                for item in self.lists[Int(list)]
                where item.interest.subject == subject && sieve.mayHold(item.middle, within: item.reach) {
                    if let hit = self.hit(item, point) { hits.append(hit) }
                }
            }
        }
        return hits
    }

    // MARK: Cells

    private func hit(_ item: Item, _ point: Coordinate) -> Hit? {
        if item.isCircle {
            let distance = item.middle.distance(to: point)
            return distance <= item.reach ? Hit(interest: item.interest, distance: distance) : nil
        }
        let isWithin = self.entries[Int(item.slot)].area.contains(point, around: item.middle)
        return isWithin ? Hit(interest: item.interest) : nil
    }

    private static func level(for reach: Double) -> Int {
        self.grids.firstIndex { $0.cellHeight >= reach } ?? self.grids.count - 1
    }

    private static func number(of cell: Int, _ level: Int) -> Int64 { Int64(level << self.levelBits | cell) }

    private mutating func file(_ slot: UInt32, at middle: Coordinate) {
        let index = Int(slot)
        let level = self.entries[index].level
        let cell = Self.grids[level].cell(of: middle)
        let number = Self.number(of: cell, level)
        var list = self.cells[number]
        if list == nil {
            let fresh = self.freeLists.popLast() ?? UInt32(self.lists.count)
            if Int(fresh) == self.lists.count { self.lists.append([]) }
            self.cells[number] = fresh
            list = fresh
        }
        guard let list else { return }
        self.entries[index].cell = cell
        self.entries[index].list = list
        self.entries[index].bounds = Self.grids[level].bounds(of: cell)
        self.entries[index].place = self.lists[Int(list)].count
        let entry = self.entries[index]
        let item = Item(
            middle: middle,
            reach: entry.reach,
            interest: entry.interest,
            isCircle: entry.area.isCircle,
            slot: slot
        )
        self.lists[Int(list)].append(item)
        self.population[level] += 1
    }

    private mutating func unfile(_ slot: UInt32) {
        let index = Int(slot)
        guard let list = self.entries[index].list else { return }
        let (level, cell) = (self.entries[index].level, self.entries[index].cell)
        self.entries[index].list = nil
        self.population[level] -= 1
        // The last of the list takes its place.
        let last = self.lists[Int(list)].removeLast()
        if last.slot != slot {
            let place = self.entries[index].place
            self.lists[Int(list)][place] = last
            self.entries[Int(last.slot)].place = place
        }
        guard self.lists[Int(list)].isEmpty else { return }
        self.cells[Self.number(of: cell, level)] = nil
        self.freeLists.append(list)
    }

    private mutating func unlink(_ slot: UInt32, of user: UserID) {
        let next = self.entries[Int(slot)].next
        guard var before = self.followers[user.rawValue] else { return }
        if before == slot {
            self.followers[user.rawValue] = next
            return
        }
        while let after = self.entries[Int(before)].next, after != slot { before = after }
        self.entries[Int(before)].next = next
    }
}
