/// The points of a cell: their number, the sums of their coordinates, and the slot of a single point.
struct CellSum {
    var count: UInt32 = 0
    var member: UInt32 = 0
    var east: UInt64 = 0
    var south: UInt64 = 0

    /// The mean of the places, rounded down; there must be at least one point.
    var mean: MercatorPoint {
        if self.count == 1 {
            return MercatorPoint(x: UInt32(truncatingIfNeeded: self.east), y: UInt32(truncatingIfNeeded: self.south))
        }
        let count = UInt64(self.count)
        return MercatorPoint(
            x: UInt32(truncatingIfNeeded: self.east / count),
            y: UInt32(truncatingIfNeeded: self.south / count)
        )
    }
}

extension PointTree {
    /// A mask of a square of 8, 4, 2 or 1 cells in the north-western corner of a block.
    private static func square(_ level: Int) -> UInt64 {
        switch level {
        case 0: .max
        case 1: 0x0F0F_0F0F
        case 2: 0x0303
        case _: 1
        }
    }

    /// Sums up cells of a block of 8 × 8, in one pass down the tree.
    ///
    /// - Parameters:
    ///   - wanted: the cells, bit 8 · row + column.
    ///   - block: the block's column and row among the blocks of the zoom.
    ///   - zoom: the zoom of the cells, 0…22.
    ///   - sums: 64 cells. Those in `wanted` are written, even if empty; the others are undefined.
    func gather(
        _ wanted: UInt64,
        of block: (x: UInt32, y: UInt32),
        zoom: Int,
        into sums: UnsafeMutableBufferPointer<CellSum>
    ) {
        var rest = wanted
        while rest != 0 {
            sums[rest.trailingZeroBitCount] = CellSum()
            rest &= rest - 1
        }
        let nodes = self.nodes
        let shift = UInt32(ClusterRule.cellShift(zoom: zoom))
        func addList(of leaf: Node) {
            self.forEachPoint(of: leaf) { slot, point in
                guard point.x >> (shift + 3) == block.x, point.y >> (shift + 3) == block.y else { return }
                let bit = Int((point.y >> shift & 7) << 3 | point.x >> shift & 7)
                guard wanted >> UInt64(bit) & 1 != 0 else { return }
                sums[bit].count += 1
                sums[bit].member = slot
                sums[bit].east += UInt64(point.x)
                sums[bit].south += UInt64(point.y)
            }
        }
        var top = nodes[0]
        let corner = MercatorPoint(x: block.x << (shift + 3), y: block.y << (shift + 3))
        for depth in 0..<(zoom + 1) {
            guard top.isInner else { return addList(of: top) }
            top = nodes[top.firstChild + Self.child(corner, depth: depth)]
        }
        guard top.count > 0 else { return }
        guard top.isInner else { return addList(of: top) }
        // The pending inner nodes: first child, level and corner. At most three of each level are pending.
        withUnsafeTemporaryAllocation(of: (quad: Int, level: Int, corner: Int).self, capacity: 12) { stack in
            stack.initializeElement(at: 0, to: (top.firstChild, 0, 0))
            var height = 1
            while height > 0 {
                height -= 1
                let (quad, level, corner) = stack[height]
                let side = 4 >> level
                for child in 0..<4 {
                    let place = corner + (child & 1) * side + (child >> 1) * side * 8
                    guard Self.square(level + 1) << UInt64(place) & wanted != 0 else { continue }
                    let node = nodes[quad + child]
                    if level == 2 {
                        sums[place] = CellSum(
                            count: node.count,
                            member: self.onlyMember(of: node),
                            east: node.east,
                            south: node.south
                        )
                    } else if node.isInner {
                        stack.initializeElement(at: height, to: (node.firstChild, level + 1, place))
                        height += 1
                    } else if node.count > 0 {
                        addList(of: node)
                    }
                }
            }
        }
    }

    /// The slot of a node's single point; undefined if it has several.
    private func onlyMember(of node: Node) -> UInt32 {
        // A node with one point is a leaf.
        guard node.count == 1 else { return 0 }
        return node.isBucket ? self.buckets[node.firstSlot] : node.link
    }

    /// The node of a square of the map, or the leaf that contains it.
    ///
    /// - Parameters:
    ///   - place: a place in the square.
    ///   - depth: the square has 2³²⁻ᵈ steps on each side.
    /// - Returns: the node, and its own depth.
    func node(at place: MercatorPoint, depth: Int) -> (index: Int, depth: Int) {
        var (node, level) = (0, 0)
        while level < depth, self.nodes[node].isInner {
            node = self.nodes[node].firstChild + Self.child(place, depth: level)
            level += 1
        }
        return (node, level)
    }

    /// The number of points in a square of the map.
    func count(at place: MercatorPoint, depth: Int) -> Int {
        let (node, level) = self.node(at: place, depth: depth)
        guard level < depth else { return Int(self.nodes[node].count) }
        var count = 0
        self.forEachPoint(at: place, depth: depth) { _ in count += 1 }
        return count
    }

    /// Calls `body` for each point in a square of the map, in any order.
    func forEachPoint(at place: MercatorPoint, depth: Int, _ body: (Point) -> Void) {
        let (top, _) = self.node(at: place, depth: depth)
        let shift = UInt32(32 - depth)
        var stack = [top]
        while let node = stack.popLast() {
            if self.nodes[node].isInner {
                let first = self.nodes[node].firstChild
                for child in first..<first + 4 where self.nodes[child].count > 0 { stack.append(child) }
                continue
            }
            self.forEachPoint(of: self.nodes[node]) { _, point in
                if point.x >> shift == place.x >> shift, point.y >> shift == place.y >> shift { body(point) }
            }
        }
    }
}
