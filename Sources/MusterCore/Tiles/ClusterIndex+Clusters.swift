extension ClusterIndex {
    /// The cells of a cluster.
    private struct Members {
        /// The north-western corners.
        var corners: [MercatorPoint]
        var depth: Int
        var count: Int
    }

    /// The summary of a cluster; nil if there is no cluster with this name any more.
    ///
    /// Costs about as much as reading one tile at each zoom at which the points are in one feature.
    package mutating func cluster(_ name: ClusterName) -> ClusterSummary? {
        guard let members = self.members(of: name) else { return nil }
        return ClusterSummary(
            count: members.count,
            bounds: self.tree.bounds(of: members.corners, depth: members.depth),
            expansionZoom: self.expansionZoom(of: members, above: name.zoom)
        )
    }

    /// Points of a cluster after a cursor, by Morton code and id; nil if there is no cluster with this name any more.
    ///
    /// Paging while points move returns each point that stays in place once.
    package mutating func leaves(of name: ClusterName, after cursor: LeafCursor?, limit: Int) -> LeafPage? {
        guard let members = self.members(of: name) else { return nil }
        let limit = max(1, limit)
        // One more point shows whether there is a next page.
        let found = self.tree.leaves(of: members.corners, depth: members.depth, after: cursor, limit: limit + 1)
        let page = found.prefix(limit)
        return LeafPage(points: page.map(\.id), next: found.count > limit ? page.last : nil)
    }

    private mutating func members(of name: ClusterName) -> Members? {
        let zoom = name.zoom
        let shift = UInt32(ClusterRule.cellShift(zoom: zoom))
        let cell: MercatorPoint
        switch (name, self.naming) {
        case (.cell(_, let x, let y), .cell):
            cell = MercatorPoint(x: UInt32(x), y: UInt32(y))
        case (.leastMember(_, let id), .leastMember):
            guard let place = self.tree.place(of: id) else { return nil }
            cell = MercatorPoint(x: place.x >> shift, y: place.y >> shift)
        case (.cell, .leastMember), (.leastMember, .cell):
            return nil
        }
        guard ClusterRule.zooms ~= zoom else { return self.rawMembers(of: name, cell) }
        self.prepare(zoom)
        let tree = self.tree
        guard let place = self.grids[zoom].place(x: cell.x, y: cell.y, tree) else { return nil }
        let center = self.grids[zoom].center(of: place, tree)
        let count = self.grids[zoom].gatherMembers(of: center, tree)
        defer { self.grids[zoom].lookAway(0) }
        guard count > 1 else { return nil }
        switch name {
        case .cell:
            guard self.grids[zoom].address(center) == (cell.x, cell.y) else { return nil }
        case .leastMember(_, let id):
            guard self.grids[zoom].leastMember(of: center, tree) == id else { return nil }
        }
        let places = [center] + self.grids[zoom].near.map(\.place)
        return Members(corners: places.map { self.grids[zoom].corner($0) }, depth: 32 - Int(shift), count: count)
    }

    /// The members of a cell that a tile with too many points shows as a feature.
    private func rawMembers(of name: ClusterName, _ cell: MercatorPoint) -> Members? {
        let shift = UInt32(ClusterRule.cellShift(zoom: name.zoom))
        let corner = MercatorPoint(x: cell.x << shift, y: cell.y << shift)
        let depth = 32 - Int(shift)
        let count = self.tree.count(at: corner, depth: depth)
        guard count > 1, self.tree.count(at: corner, depth: name.zoom) > ClusterRule.rawLimit else { return nil }
        if case .leastMember(_, let id) = name {
            var least = Int64.max
            self.tree.forEachPoint(at: corner, depth: depth) { least = min(least, $0.id) }
            guard least == id else { return nil }
        }
        return Members(corners: [corner], depth: depth, count: count)
    }

    private mutating func expansionZoom(of members: Members, above zoom: Int) -> Int {
        let last = ClusterRule.zooms.upperBound
        guard zoom < last else { return last + 1 }
        let tree = self.tree
        // While all points have one centre, they fill at most 25 cells, and at most 100 at the next zoom.
        var corners = members.corners
        for zoom in (zoom + 1)...last {
            self.prepare(zoom)
            let shift = self.grids[zoom].shift
            var cells: [MercatorPoint] = []
            var common: (x: UInt32, y: UInt32)?
            for corner in corners {
                for child in 0..<4 as Range<UInt32> {
                    let (x, y) = (corner.x >> shift + child & 1, corner.y >> shift + child >> 1)
                    guard let place = self.grids[zoom].place(x: x, y: y, tree) else { continue }
                    let center = self.grids[zoom].center(of: place, tree)
                    let address = self.grids[zoom].address(center)
                    if let common, common != address { return zoom }
                    common = address
                    cells.append(MercatorPoint(x: x << shift, y: y << shift))
                }
            }
            corners = cells
        }
        return last + 1
    }
}
