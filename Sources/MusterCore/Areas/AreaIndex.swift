// Areas are stored in grids by the size of a circle that contains them. Level ℓ has areas of up to 160 · 2^ℓ metres, in
// cells at least as high. An area is stored once, in the cell of its centre. So an area contains a point only if its
// centre is within a cell's height of it. A search visits some ten cells per level in use.
//
// A search reads the lists of these cells one after the other. A list item has the subscription, the centre and the
// size, which fully describes a circle. For other shapes, the entry is looked up when the point is in the enclosing
// circle. A move within a cell only updates the centre in the item. The areas of a user form a linked list that starts
// from one look-up, and each entry knows its index and the bounds of its cell.
//
// Invariants: `slots` names every entry in use; a placed entry has its item in `lists[list]` at `place`, and in no
// other list; `cells` names the lists that are not empty, and `freeLists` the others; `population` counts items by
// level.

/// An index of subscribed areas that finds those that contain a point.
///
/// The cost of a search depends on the areas nearby, not on the total. A user who moves costs one look-up, even if many
/// areas follow them.
package struct AreaIndex {
    /// A subscription whose area contains a point.
    package struct Hit: Equatable {
        package var interest: AreaInterest
        /// The distance in metres from the centre of a circle; nil for other shapes.
        package var distance: Double?
    }

    /// An area in the list of a cell.
    private struct Item {
        var middle: Coordinate
        /// The radius of a circle that contains the area; for a circle, its own.
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
        /// The number of its cell.
        var cell = 0
        /// The list with its item; nil while the user's position is unknown.
        var list: UInt32?
        /// The index in that list.
        var place = 0
        var bounds = SphereGrid.Bounds.none
        /// The next area that follows the same user.
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

    /// The entries by slot; unused slots are in `free`.
    private var entries: [Entry] = []
    private var free: [UInt32] = []
    private var slots: [AreaInterest: UInt32] = [:]
    /// The first area that follows each user.
    private var followers = NumberMap<UInt32>()
    private var cells = NumberMap<UInt32>()
    private var lists: [[Item]] = []
    private var freeLists: [UInt32] = []
    private var population = Array(repeating: 0, count: Self.grids.count)

    /// Creates an empty index.
    package init() {}

    /// The number of areas.
    package var count: Int { self.slots.count }

    /// Adds an area, and replaces the previous one of the subscription.
    ///
    /// - Parameters:
    ///   - interest: the subscription.
    ///   - area: the area.
    ///   - position: the position of the user that the area follows. If it is nil, the area is not placed until the
    ///     user moves.
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

    /// Removes the area of a subscription.
    package mutating func remove(_ interest: AreaInterest) {
        guard let slot = self.slots.removeValue(forKey: interest) else { return }
        self.unfile(slot)
        if let user = self.entries[Int(slot)].area.followed { self.unlink(slot, of: user) }
        self.free.append(slot)
    }

    /// Whether a subscription has a placed area.
    func isPlaced(_ interest: AreaInterest) -> Bool {
        self.slots[interest].map { self.entries[Int($0)].list != nil } ?? false
    }

    /// Moves the areas that follow a user.
    ///
    /// - Returns: whether one of them was not placed before.
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

    /// Returns the subscriptions to a subject whose areas contain a point.
    package func hits(at point: Coordinate, of subject: AreaSubject) -> [Hit] {
        var hits: [Hit] = []
        for level in Self.grids.indices where self.population[level] > 0 {
            let grid = Self.grids[level]
            let prefilter = DistancePrefilter(around: point, within: grid.cellHeight)
            grid.forEachCell(touching: point, within: grid.cellHeight) { cell in
                guard let list = self.cells[Self.number(of: cell, level)] else { return }
                for item in self.lists[Int(list)]
                where item.interest.subject == subject && prefilter.mayHold(item.middle, within: item.reach) {
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
        // The last item of the list moves to the free index.
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
