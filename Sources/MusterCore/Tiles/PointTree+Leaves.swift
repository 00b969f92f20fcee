extension PointTree {
    /// A square of the map that is a node, or lies in one.
    private struct Square {
        var node: Int
        var corner: MercatorPoint
        var depth: Int

        /// The number of steps on a side, minus one.
        var extent: UInt32 { UInt32.max >> UInt32(self.depth) }
        var lastMorton: UInt64 {
            MercatorPoint(x: self.corner.x | self.extent, y: self.corner.y | self.extent).morton
        }
    }

    /// The quarters of an inner node's square that have points, the last one first.
    private func quarters(of square: Square) -> [Square] {
        let first = self.nodes[square.node].firstChild
        let half = UInt32(1) << UInt32(31 - square.depth)
        return (0..<4).reversed().compactMap { child in
            guard self.nodes[first + child].count > 0 else { return nil }
            let corner = MercatorPoint(
                x: square.corner.x + (child & 1 == 0 ? 0 : half),
                y: square.corner.y + (child & 2 == 0 ? 0 : half)
            )
            return Square(node: first + child, corner: corner, depth: square.depth + 1)
        }
    }

    /// The squares of cells, each with its node, or the leaf that contains it.
    private func squares(_ corners: [MercatorPoint], depth: Int) -> [Square] {
        corners.map { Square(node: self.node(at: $0, depth: depth).index, corner: $0, depth: depth) }
    }

    private func forEachPoint(in square: Square, _ body: (Point) -> Void) {
        let mask = ~square.extent
        self.forEachPoint(of: self.nodes[square.node]) { _, point in
            if (point.x ^ square.corner.x) & mask == 0, (point.y ^ square.corner.y) & mask == 0 { body(point) }
        }
    }

    /// Returns the smallest box around all points of some cells, which span less than half of the map.
    ///
    /// - Parameters:
    ///   - corners: the cells' north-western corners; each cell must have a point.
    ///   - depth: the depth of the cells.
    /// - Returns: the box, the short way round.
    func bounds(of corners: [MercatorPoint], depth: Int) -> MercatorBounds {
        // Relative to the first corner, because the date line may lie in between.
        let middle = corners[0].x
        var (west, east) = (Int64.max, Int64.min)
        var (north, south) = (UInt32.max, UInt32.min)
        var stack = self.squares(corners, depth: depth)
        while let square = stack.popLast() {
            let first = Int64(Int32(bitPattern: square.corner.x &- middle))
            // Most squares lie within the known box.
            if first >= west, first + Int64(square.extent) <= east, square.corner.y >= north,
                square.corner.y + square.extent <= south
            {
                continue
            }
            guard !self.nodes[square.node].isInner else {
                stack += self.quarters(of: square)
                continue
            }
            self.forEachPoint(in: square) { point in
                let x = Int64(Int32(bitPattern: point.x &- middle))
                (west, east) = (min(west, x), max(east, x))
                (north, south) = (min(north, point.y), max(south, point.y))
            }
        }
        return MercatorBounds(
            northWest: MercatorPoint(x: middle &+ UInt32(truncatingIfNeeded: west), y: north),
            southEast: MercatorPoint(x: middle &+ UInt32(truncatingIfNeeded: east), y: south)
        )
    }

    /// Returns the first points of some cells in the order of leaves.
    ///
    /// - Parameters:
    ///   - corners: the cells' north-western corners.
    ///   - depth: the depth of the cells.
    ///   - cursor: only points after it count; nil for all.
    ///   - limit: the largest number of points.
    /// - Returns: the points as cursors, in order.
    func leaves(of corners: [MercatorPoint], depth: Int, after cursor: LeafCursor?, limit: Int) -> [LeafCursor] {
        var found: [LeafCursor] = []
        var stack = self.squares(corners.sorted { $0.morton > $1.morton }, depth: depth)
        while found.count < limit, let square = stack.popLast() {
            if let cursor, square.lastMorton < cursor.morton { continue }
            guard !self.nodes[square.node].isInner else {
                stack += self.quarters(of: square)
                continue
            }
            let earlier = found.count
            func keepFirst() {
                found[earlier...].sort()
                if found.count > limit { found.removeLast(found.count - limit) }
            }
            self.forEachPoint(in: square) { point in
                let leaf = LeafCursor(morton: point.place.morton, id: point.id)
                if let cursor, leaf <= cursor { return }
                found.append(leaf)
                // A million points at one place are in one leaf.
                if found.count > 4 * limit + 64 { keepFirst() }
            }
            keepFirst()
        }
        return found
    }
}
