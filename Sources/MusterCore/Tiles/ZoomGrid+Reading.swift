extension ZoomGrid {
    /// Calls `body` for each centre in a tile, in rows from north to south, and from west to east in a row.
    ///
    /// `body` receives the grid, the centre and the number of points in all its cells. During the call, `near` contains
    /// the cells assigned to the centre.
    mutating func forEachCenter(
        in tile: TileAddress,
        _ tree: PointTree,
        _ body: (inout Self, Place, _ count: Int) -> Void
    ) {
        let (x, y) = (UInt32(tile.x * 2), UInt32(tile.y * 2))
        for south in 0..<2 as Range<UInt32> {
            let west = self.block(x, y + south, tree)
            let east = self.block(x + 1, y + south, tree)
            for row in 0..<8 {
                for block in [west, east] {
                    var rest = self.blocks[block].occupied & (0xFF << UInt64(8 * row))
                    while rest != 0 {
                        let place = Place(block: block, bit: rest.trailingZeroBitCount)
                        rest &= rest - 1
                        self.decide(place, tree)
                        guard self.cells[self.index(place)].state == .center else { continue }
                        let count = self.gatherMembers(of: place, tree)
                        body(&self, place, count)
                        self.lookAway(0)
                    }
                }
            }
        }
    }

    /// Stores the cells assigned to a centre in `near`, which must be empty.
    ///
    /// Returns the number of points in all of them and the centre.
    mutating func gatherMembers(of center: Place, _ tree: PointTree) -> Int {
        let cell = self.cells[self.index(center)]
        let around = self.lookAround(center, tree)
        var count = Int(cell.weight)
        var kept = around.lowerBound
        for number in around {
            let neighbor = self.near[number]
            var other = self.cells[neighbor.index]
            if other.state.centerOffset == nil, cell.squaredDistance(to: other) < self.radius {
                self.assign(neighbor.place, tree)
                other = self.cells[neighbor.index]
            }
            // Seen from the other cell, the centre is at the opposite offset.
            guard other.state.centerOffset == 24 - neighbor.offset else { continue }
            self.near[kept] = neighbor
            kept += 1
            count += Int(other.weight)
        }
        self.lookAway(kept)
        return count
    }

    /// The cell at a column and a row, if it has points.
    mutating func place(x: UInt32, y: UInt32, _ tree: PointTree) -> Place? {
        let block = self.block(x >> 3, y >> 3, tree)
        let bit = Int((y & 7) << 3 | x & 7)
        return self.blocks[block].occupied >> UInt64(bit) & 1 == 0 ? nil : Place(block: block, bit: bit)
    }

    /// The centre that a cell is assigned to.
    mutating func center(of place: Place, _ tree: PointTree) -> Place {
        self.assign(place, tree)
        guard let offset = self.cells[self.index(place)].state.centerOffset,
            let block = self.block(at: offset, from: place)
        else { preconditionFailure("an assigned cell has a centre") }
        let column = place.bit & 7 + Int(offset % 5) - 2
        let row = place.bit >> 3 + Int(offset / 5) - 2
        return Place(block: block, bit: (row & 7) << 3 | column & 7)
    }
}

extension ZoomGrid {
    /// The feature of a centre whose cells are in `near`.
    func feature(
        of center: Place,
        _ count: Int,
        in tile: TileAddress,
        _ tree: PointTree,
        _ naming: ClusterNaming
    ) -> TileFeature {
        let cell = self.cells[self.index(center)]
        let place = MercatorPoint(x: cell.x, y: cell.y)
        if count == 1 {
            let id = tree.points[Int(cell.member)].id
            return TileFeature(at: place, of: tile, count: 1, content: .point(id), entryKey: id)
        }
        switch naming {
        case .cell:
            let (x, y) = self.address(center)
            return TileFeature(
                at: place,
                of: tile,
                count: count,
                content: .cluster(.cell(zoom: self.zoom, x: Int(x), y: Int(y))),
                entryKey: -1 - Int64((y & 15) << 4 | x & 15)
            )
        case .leastMember:
            let least = self.leastMember(of: center, tree)
            return TileFeature(
                at: place,
                of: tile,
                count: count,
                content: .cluster(.leastMember(zoom: self.zoom, least)),
                entryKey: -least
            )
        }
    }

    /// The smallest id among the points of a centre whose cells are in `near`.
    func leastMember(of center: Place, _ tree: PointTree) -> Int64 {
        var least = Int64.max
        for place in [center] + self.near.map(\.place) {
            tree.forEachPoint(at: self.corner(place), depth: 32 - Int(self.shift)) { least = min(least, $0.id) }
        }
        return least
    }

    /// The north-western corner of a cell.
    func corner(_ place: Place) -> MercatorPoint {
        let (x, y) = self.address(place)
        return MercatorPoint(x: x << self.shift, y: y << self.shift)
    }
}
