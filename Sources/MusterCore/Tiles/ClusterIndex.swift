// All zooms share one tree of points. The results of the clustering rule are cached in one zoom grid (`ZoomGrid`) per
// zoom, as far as they were requested, and in the subscribed tiles. Everything but the tree may be discarded at any
// time and is then computed again.

/// The cluster index: points on the map, and the features that the tiles of every zoom show of them.
///
/// A value without a clock or I/O. Its results depend only on its current points, by the rule of `ClusterRule`.
package struct ClusterIndex: Sendable {
    /// A subscribed tile, as it was when `nextChangedTile` returned it.
    private struct SubscribedTile {
        let tile: TileAddress
        var features: [TileFeature]
        /// Whether data behind the features was discarded since.
        var isStale = false
    }

    let naming: ClusterNaming
    private(set) var tree = PointTree()
    var grids = ClusterRule.zooms.map { ZoomGrid(zoom: $0) }
    /// The zooms of grids that are not empty, and the higher zooms with a subscribed tile, as bits.
    private var inUse: UInt32 = 0
    private var subscribed: ContiguousArray<SubscribedTile> = []
    private var subscribedIndices = NumberMap<UInt32>()
    private var rawWatched = ContiguousArray(repeating: 0, count: TileAddress.zooms.count)
    /// The subscribed tiles that may have changed, except for those marked in a zoom grid.
    private var stale: [TileAddress] = []

    /// Creates an empty index.
    ///
    /// - Parameter naming: the naming of clusters. With `leastMember`, reading a cluster costs time in proportion to
    ///   its points.
    package init(naming: ClusterNaming) { self.naming = naming }

    /// The number of points.
    package var count: Int { self.tree.count }

    /// The current statistics.
    package var statistics: ClusterIndexStatistics {
        var statistics = ClusterIndexStatistics()
        statistics.points = self.count
        statistics.subscribedTiles = self.subscribed.count
        statistics.changedTiles = self.stale.count
        statistics.bytes = self.tree.bytes
        for subscribed in self.subscribed {
            statistics.bytes += MemoryLayout<SubscribedTile>.stride
            statistics.bytes += subscribed.features.capacity * MemoryLayout<TileFeature>.stride
        }
        for grid in self.grids {
            statistics.changedTiles += grid.marked.count
            statistics.blocks += max(0, grid.blocks.count - 1)
            statistics.bytes += grid.bytes
            statistics.flips += grid.flips
            statistics.steps += grid.steps
        }
        return statistics
    }

    // MARK: Points

    /// Adds a point, or moves the one with this id, which must be positive.
    package mutating func put(_ id: Int64, at place: MercatorPoint) {
        guard let old = self.tree.put(id, at: place) else { return self.touch(place) }
        guard old != place, self.inUse != 0 else { return }
        let difference = (old.x ^ place.x) | (old.y ^ place.y)
        var rest = self.inUse
        while rest != 0 {
            let zoom = rest.trailingZeroBitCount
            rest &= rest - 1
            if zoom > ClusterRule.zooms.upperBound {
                self.touchRaw(old.tile(zoom: zoom))
                if old.tile(zoom: zoom) != place.tile(zoom: zoom) { self.touchRaw(place.tile(zoom: zoom)) }
            } else if difference >> UInt32(ClusterRule.cellShift(zoom: zoom)) == 0 {
                self.touch(place, zoom, exchanged: false)
            } else {
                self.touch(old, zoom, exchanged: true)
                self.touch(place, zoom, exchanged: true)
            }
        }
    }

    /// Removes a point, if it exists.
    package mutating func remove(_ id: Int64) {
        guard let place = self.tree.remove(id) else { return }
        self.touch(place)
        guard self.count == 0 else { return }
        for zoom in ClusterRule.zooms where self.grids[zoom].subscribedCount == 0 { self.forget(zoom) }
    }

    /// Returns ids of points, in an order that stays the same while points are added, removed and moved.
    ///
    /// An iteration returns each point that exists throughout exactly once.
    ///
    /// - Parameters:
    ///   - start: 0, and then the previous `next`.
    ///   - limit: the number of slots to examine.
    /// - Returns: the ids, and the next start; nil after the last ones.
    func points(from start: Int, limit: Int) -> (ids: [Int64], next: Int?) {
        let slots = self.tree.points.indices.dropFirst(start)
        let ids = slots.prefix(limit).map { self.tree.points[$0].id }.filter { $0 != 0 }
        return (ids, slots.count > limit ? start + limit : nil)
    }

    /// The place of a point; nil if it does not exist.
    package func place(of id: Int64) -> MercatorPoint? { self.tree.place(of: id) }

    /// Notifies the zoom grids in use that a point was added or removed.
    private mutating func touch(_ place: MercatorPoint) {
        var rest = self.inUse
        while rest != 0 {
            let zoom = rest.trailingZeroBitCount
            rest &= rest - 1
            if zoom > ClusterRule.zooms.upperBound {
                self.touchRaw(place.tile(zoom: zoom))
            } else {
                self.touch(place, zoom, exchanged: true)
            }
        }
    }

    private mutating func touch(_ place: MercatorPoint, _ zoom: Int, exchanged: Bool) {
        if self.grids[zoom].touch(place, exchanged: exchanged) { self.forget(zoom) }
    }

    private mutating func touchRaw(_ tile: TileAddress) {
        guard let place = self.subscribedIndices[tile.packed] else { return }
        self.markStale(Int(place))
    }

    private mutating func markStale(_ place: Int) {
        guard !self.subscribed[place].isStale else { return }
        self.subscribed[place].isStale = true
        self.stale.append(self.subscribed[place].tile)
    }

    /// Discards a zoom grid; its subscribed tiles may have changed.
    private mutating func forget(_ zoom: Int) {
        self.grids[zoom].forget()
        if self.grids[zoom].subscribedCount == 0 {
            self.inUse &= ~(1 << UInt32(zoom))
            return
        }
        for place in self.subscribed.indices where self.subscribed[place].tile.zoom == zoom { self.markStale(place) }
    }

    // MARK: Subscriptions

    /// Subscribes to a tile: `nextChangedTile` returns it when it differs from its current features.
    package mutating func subscribe(_ tile: TileAddress) {
        guard self.subscribedIndices[tile.packed] == nil else { return }
        if ClusterRule.zooms ~= tile.zoom {
            self.grids[tile.zoom].subscribe(tile)
        } else {
            self.rawWatched[tile.zoom] += 1
        }
        self.inUse |= 1 << UInt32(tile.zoom)
        self.subscribedIndices[tile.packed] = UInt32(self.subscribed.count)
        self.subscribed.append(SubscribedTile(tile: tile, features: self.read(tile)))
    }

    /// Ends the subscription to a tile.
    package mutating func unsubscribe(_ tile: TileAddress) {
        guard let place = self.subscribedIndices[tile.packed].map(Int.init) else { return }
        self.subscribedIndices[tile.packed] = nil
        let last = self.subscribed.removeLast()
        if last.tile != tile {
            self.subscribed[place] = last
            self.subscribedIndices[last.tile.packed] = UInt32(place)
        }
        if ClusterRule.zooms ~= tile.zoom {
            self.grids[tile.zoom].unsubscribe(tile)
            if self.grids[tile.zoom].subscribedCount == 0 { self.forget(tile.zoom) }
        } else {
            self.rawWatched[tile.zoom] -= 1
            if self.rawWatched[tile.zoom] == 0 { self.inUse &= ~(1 << UInt32(tile.zoom)) }
        }
    }

    /// Applies about `steps` steps of the pending changes at some zooms, at some 100 ns each; false if there are more.
    ///
    /// Calling it is optional, because a read applies the remaining changes first.
    package mutating func resolve(steps: Int, _ zooms: ClosedRange<Int> = ClusterRule.zooms) -> Bool {
        var rest = steps
        for zoom in self.grids.indices where zooms ~= zoom && self.grids[zoom].isPending {
            guard rest > 0 else { return false }
            let before = self.grids[zoom].steps
            self.grids[zoom].resolve(self.tree, until: before + rest)
            rest -= self.grids[zoom].steps - before
            if self.grids[zoom].isPending { return false }
        }
        return true
    }

    /// Returns a subscribed tile that differs from its state when it was subscribed or last returned; nil if there is
    /// none.
    package mutating func nextChangedTile() -> TileAddress? {
        while true {
            switch self.checkTile() {
            case .changed(let tile): return tile
            case .unchanged: continue
            case .noneLeft: return nil
            }
        }
    }

    /// Checks one subscribed tile that may differ from its state when it was subscribed or last reported.
    mutating func checkTile() -> TileCheck {
        guard let tile = self.nextMarkedTile() else { return .noneLeft }
        guard let place = self.subscribedIndices[tile.packed].map(Int.init) else { return .unchanged }
        self.subscribed[place].isStale = false
        let features = self.read(tile)
        guard features != self.subscribed[place].features else { return .unchanged }
        self.subscribed[place].features = features
        return .changed(tile)
    }

    private mutating func nextMarkedTile() -> TileAddress? {
        if let tile = self.stale.popLast() { return tile }
        for zoom in ClusterRule.zooms where !self.grids[zoom].isEmpty {
            self.grids[zoom].noteNeed()
            self.resolveGrid(zoom)
            if let tile = self.grids[zoom].popMarked() { return tile }
        }
        return nil
    }

    // MARK: Tiles

    /// Returns the features of a tile, subscribed or not.
    ///
    /// The order depends only on the tile's content: clusters by the rows of their centres' cells, individual points by
    /// their ids.
    package mutating func features(in tile: TileAddress) -> [TileFeature] {
        if let place = self.subscribedIndices[tile.packed].map(Int.init), !self.subscribed[place].isStale {
            guard ClusterRule.zooms ~= tile.zoom else { return self.subscribed[place].features }
            self.resolveGrid(tile.zoom)
            if !self.grids[tile.zoom].isMarked(tile) { return self.subscribed[place].features }
        }
        return self.read(tile)
    }

    /// Prepares a zoom grid for reading.
    mutating func prepare(_ zoom: Int) {
        self.resolveGrid(zoom)
        if self.grids[zoom].isOverfull { self.forget(zoom) }
        self.grids[zoom].renew()
        self.inUse |= 1 << UInt32(zoom)
    }

    private mutating func resolveGrid(_ zoom: Int) {
        if self.grids[zoom].isPending { self.grids[zoom].resolve(self.tree, until: .max) }
    }

    private mutating func read(_ tile: TileAddress) -> [TileFeature] {
        guard ClusterRule.zooms ~= tile.zoom else { return self.readRaw(tile) }
        self.prepare(tile.zoom)
        var features: [TileFeature] = []
        let (tree, naming) = (self.tree, self.naming)
        self.grids[tile.zoom].forEachCenter(in: tile, tree) { grid, center, count in
            features.append(grid.feature(of: center, count, in: tile, tree, naming))
        }
        return features
    }

    private func readRaw(_ tile: TileAddress) -> [TileFeature] {
        let corner = tile.corner
        guard self.tree.count(at: corner, depth: tile.zoom) <= ClusterRule.rawLimit else { return self.readCells(tile) }
        var features: [TileFeature] = []
        self.tree.forEachPoint(at: corner, depth: tile.zoom) { point in
            features.append(
                TileFeature(at: point.place, of: tile, count: 1, content: .point(point.id), entryKey: point.id)
            )
        }
        features.sort { $0.entryKey < $1.entryKey }
        return features
    }

    /// Reads the cells of a tile, one feature each.
    private func readCells(_ tile: TileAddress) -> [TileFeature] {
        var grid = ZoomGrid(zoom: tile.zoom)
        var features: [TileFeature] = []
        for row in 0..<16 {
            for column in 0..<16 {
                let (x, y) = (UInt32(tile.x * 16 + column), UInt32(tile.y * 16 + row))
                guard let place = grid.place(x: x, y: y, self.tree) else { continue }
                let count = Int(grid.cells[grid.index(place)].weight)
                features.append(grid.feature(of: place, count, in: tile, self.tree, self.naming))
            }
        }
        return features
    }
}
