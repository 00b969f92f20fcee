// Points lie in a tree that serves all zooms; what the rule makes of them is kept in a sheet a zoom, as far as somebody has asked
// for it, and in the tiles that are watched. Everything but the tree may be forgotten at any time and is found again.

/// Points on the map, and what the tiles of every zoom show of them.
///
/// A value without clock and I/O. What it answers depends on nothing but the points that are in it now: the rule is that of
/// `ClusterRule`.
package struct PointPyramid: Sendable {
    /// A tile that is watched, as it was when `nextChangedTile` returned it.
    private struct WatchedTile {
        let tile: TileAddress
        var features: [TileFeature]
        /// Whether what it leans on was forgotten since.
        var isStale = false
    }

    let naming: ClusterNaming
    private(set) var tree = PointTree()
    var sheets = ClusterRule.zooms.map { Sheet(zoom: $0) }
    /// The zooms of sheets that are not empty, and those above them of which a tile is watched.
    private var inUse: UInt32 = 0
    private var watched: ContiguousArray<WatchedTile> = []
    private var watchedPlaces = NumberMap<UInt32>()
    private var rawWatched = ContiguousArray(repeating: 0, count: TileAddress.zooms.count)
    /// Watched tiles that may have changed, but for those that are marked in a sheet.
    private var stale: [TileAddress] = []

    /// No points.
    ///
    /// - Parameter naming: what clusters are named by. With `leastMember`, to read a cluster costs as much as it has points.
    package init(naming: ClusterNaming) { self.naming = naming }

    /// How many points there are.
    package var count: Int { self.tree.count }

    /// What it holds and has done.
    package var statistics: PyramidStatistics {
        var statistics = PyramidStatistics()
        statistics.points = self.count
        statistics.watchedTiles = self.watched.count
        statistics.changedTiles = self.stale.count
        statistics.bytes = self.tree.bytes
        for watched in self.watched {
            statistics.bytes += MemoryLayout<WatchedTile>.stride
            statistics.bytes += watched.features.capacity * MemoryLayout<TileFeature>.stride
        }
        for sheet in self.sheets {
            statistics.changedTiles += sheet.marked.count
            statistics.blocks += max(0, sheet.blocks.count - 1)
            statistics.bytes += sheet.bytes
            statistics.flips += sheet.flips
            statistics.steps += sheet.steps
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

    /// Takes a point out, if it is there.
    package mutating func remove(_ id: Int64) {
        guard let place = self.tree.remove(id) else { return }
        self.touch(place)
        guard self.count == 0 else { return }
        for zoom in ClusterRule.zooms where self.sheets[zoom].watchedCount == 0 { self.forget(zoom) }
    }

    /// Ids of points, in an order that stays while points come, go and move; each that is there from beginning to end is
    /// among them once.
    ///
    /// - Parameters:
    ///   - start: 0, and then what `next` was.
    ///   - limit: so many places are looked at.
    /// - Returns: the ids, and where to go on; nil when these were the last.
    func points(from start: Int, limit: Int) -> (ids: [Int64], next: Int?) {
        let slots = self.tree.points.indices.dropFirst(start)
        let ids = slots.prefix(limit).map { self.tree.points[$0].id }.filter { $0 != 0 }
        return (ids, slots.count > limit ? start + limit : nil)
    }

    /// Where a point is; nil when it isn't there.
    package func place(of id: Int64) -> MercatorPoint? { self.tree.place(of: id) }

    /// Tells the sheets in use that a point came or went.
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
        if self.sheets[zoom].touch(place, exchanged: exchanged) { self.forget(zoom) }
    }

    private mutating func touchRaw(_ tile: TileAddress) {
        guard let place = self.watchedPlaces[tile.packed] else { return }
        self.markStale(Int(place))
    }

    private mutating func markStale(_ place: Int) {
        guard !self.watched[place].isStale else { return }
        self.watched[place].isStale = true
        self.stale.append(self.watched[place].tile)
    }

    /// Forgets a sheet; tiles of it that are watched may have changed.
    private mutating func forget(_ zoom: Int) {
        self.sheets[zoom].forget()
        if self.sheets[zoom].watchedCount == 0 {
            self.inUse &= ~(1 << UInt32(zoom))
            return
        }
        for place in self.watched.indices where self.watched[place].tile.zoom == zoom { self.markStale(place) }
    }

    // MARK: Watches

    /// Watches a tile from now on: `nextChangedTile` tells when it has become another than it is now.
    package mutating func watch(_ tile: TileAddress) {
        guard self.watchedPlaces[tile.packed] == nil else { return }
        if ClusterRule.zooms ~= tile.zoom {
            self.sheets[tile.zoom].watch(tile)
        } else {
            self.rawWatched[tile.zoom] += 1
        }
        self.inUse |= 1 << UInt32(tile.zoom)
        self.watchedPlaces[tile.packed] = UInt32(self.watched.count)
        self.watched.append(WatchedTile(tile: tile, features: self.read(tile)))
    }

    /// Watches a tile no longer.
    package mutating func unwatch(_ tile: TileAddress) {
        guard let place = self.watchedPlaces[tile.packed].map(Int.init) else { return }
        self.watchedPlaces[tile.packed] = nil
        let last = self.watched.removeLast()
        if last.tile != tile {
            self.watched[place] = last
            self.watchedPlaces[last.tile.packed] = UInt32(place)
        }
        if ClusterRule.zooms ~= tile.zoom {
            self.sheets[tile.zoom].unwatch(tile)
            if self.sheets[tile.zoom].watchedCount == 0 { self.forget(tile.zoom) }
        } else {
            self.rawWatched[tile.zoom] -= 1
            if self.rawWatched[tile.zoom] == 0 { self.inUse &= ~(1 << UInt32(tile.zoom)) }
        }
    }

    /// Works off about so many steps of what is left to do after changes at some zooms, of some 100 ns each; false when there
    /// is more.
    ///
    /// Whoever reads need not call it: reading does the rest first.
    package mutating func settle(steps: Int, _ zooms: ClosedRange<Int> = ClusterRule.zooms) -> Bool {
        var rest = steps
        for zoom in self.sheets.indices where zooms ~= zoom && self.sheets[zoom].isPending {
            guard rest > 0 else { return false }
            let before = self.sheets[zoom].steps
            self.sheets[zoom].settle(self.tree, until: before + rest)
            rest -= self.sheets[zoom].steps - before
            if self.sheets[zoom].isPending { return false }
        }
        return true
    }

    /// A watched tile that shows something else than when it was watched or last returned here; nil when there is none.
    package mutating func nextChangedTile() -> TileAddress? {
        while true {
            switch self.checkTile() {
            case .changed(let tile): return tile
            case .unchanged: continue
            case .noneLeft: return nil
            }
        }
    }

    /// Looks at one watched tile that may show something else than when it was watched or last called changed.
    package mutating func checkTile() -> TileCheck {
        guard let tile = self.nextMarkedTile() else { return .noneLeft }
        guard let place = self.watchedPlaces[tile.packed].map(Int.init) else { return .unchanged }
        self.watched[place].isStale = false
        let features = self.read(tile)
        guard features != self.watched[place].features else { return .unchanged }
        self.watched[place].features = features
        return .changed(tile)
    }

    private mutating func nextMarkedTile() -> TileAddress? {
        if let tile = self.stale.popLast() { return tile }
        for zoom in ClusterRule.zooms where !self.sheets[zoom].isEmpty {
            self.sheets[zoom].noteNeed()
            self.settleSheet(zoom)
            if let tile = self.sheets[zoom].popMarked() { return tile }
        }
        return nil
    }

    // MARK: Tiles

    /// What a tile shows, watched or not, in an order of which the tile's contents alone decide: clusters by the rows of their
    /// centres' cells, points as they are by their ids.
    package mutating func features(in tile: TileAddress) -> [TileFeature] {
        if let place = self.watchedPlaces[tile.packed].map(Int.init), !self.watched[place].isStale {
            guard ClusterRule.zooms ~= tile.zoom else { return self.watched[place].features }
            self.settleSheet(tile.zoom)
            if !self.sheets[tile.zoom].isMarked(tile) { return self.watched[place].features }
        }
        return self.read(tile)
    }

    /// Has a sheet ready to be read.
    mutating func prepare(_ zoom: Int) {
        self.settleSheet(zoom)
        if self.sheets[zoom].isOverfull { self.forget(zoom) }
        self.sheets[zoom].renew()
        self.inUse |= 1 << UInt32(zoom)
    }

    private mutating func settleSheet(_ zoom: Int) {
        if self.sheets[zoom].isPending { self.sheets[zoom].settle(self.tree, until: .max) }
    }

    private mutating func read(_ tile: TileAddress) -> [TileFeature] {
        guard ClusterRule.zooms ~= tile.zoom else { return self.readRaw(tile) }
        self.prepare(tile.zoom)
        var features: [TileFeature] = []
        let (tree, naming) = (self.tree, self.naming)
        self.sheets[tile.zoom].forEachCenter(in: tile, tree) { sheet, center, count in
            features.append(sheet.feature(of: center, count, in: tile, tree, naming))
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

    /// The cells of a tile, a feature each.
    private func readCells(_ tile: TileAddress) -> [TileFeature] {
        var sheet = Sheet(zoom: tile.zoom)
        var features: [TileFeature] = []
        for row in 0..<16 {
            for column in 0..<16 {
                let (x, y) = (UInt32(tile.x * 16 + column), UInt32(tile.y * 16 + row))
                guard let place = sheet.place(x: x, y: y, self.tree) else { continue }
                let count = Int(sheet.cells[sheet.index(place)].weight)
                features.append(sheet.feature(of: place, count, in: tile, self.tree, self.naming))
            }
        }
        return features
    }
}
