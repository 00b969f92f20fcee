// Invariants
// - The pyramid watches exactly the tiles that have entries.
// - A point is in the pyramid exactly when it has values.

/// A layer that the atlas holds: its points, and the tiles of it that somebody looks at.
struct AtlasLayer {
    /// The most points of a layer.
    static let pointLimit = 5_000_000
    /// Steps of the pyramid's work that are done at once, in far less than a turn's time.
    private static let stepsAtOnce = 4096

    /// Points that are looked at at once to find those that storage does not hold any more.
    private static let slotsAtOnce = 4096

    /// What a load has seen.
    private struct Load {
        /// Whether there were points before, of which some may be gone.
        let isAnew: Bool
        /// Points that somebody told of meanwhile: what storage was read to say is older.
        var told: Set<Int64> = []
        /// Points that were read, where there were some before.
        var seen: Set<Int64> = []
        /// How far points of before have been looked at, once all were read.
        var swept: Int?
    }

    let id: TileLayer
    let kind: LayerKind
    private(set) var pyramid: PointPyramid
    private var values: [Int64: PointValues] = [:]
    /// Memory of what the values are, in bytes.
    private var valueBytes = 0
    private var load: Load?
    /// Whether it can be looked at.
    private(set) var isReady: Bool
    var tiles: [TileAddress: AtlasTile] = [:]
    /// Tiles that the pyramid may not call changed, and may be: a point carries something else where no place changed, or
    /// somebody was shown the tile between two changes, of which the second may have undone the first.
    private var unsure: Set<TileAddress> = []
    /// Whether a tile may show something else than what was told.
    private(set) var hasChanges = false
    /// Whether the atlas has it among those whose changes are told now.
    var isDue = false
    /// Whether it is among those that go before others.
    var isUrgent = false
    /// Points that were not taken because there are too many.
    private(set) var refusedPoints = 0

    /// Creates a layer without points.
    init(_ id: TileLayer, kind: LayerKind, isReady: Bool) {
        self.id = id
        self.kind = kind
        self.isReady = isReady
        self.pyramid = PointPyramid(naming: kind.naming)
    }

    // MARK: - Points

    /// Memory in bytes: points with what they carry, cells, and tiles with what they show.
    var bytes: Int {
        let tile = MemoryLayout<TileAddress>.stride + MemoryLayout<AtlasTile>.stride
        return self.pyramid.statistics.bytes + self.valueBytes
            + self.values.capacity * (MemoryLayout<Int64>.stride + MemoryLayout<PointValues>.stride)
            + self.tiles.capacity * tile + self.tiles.values.reduce(0) { $0 + $1.bytes }
    }

    /// Puts points in, or where they are now.
    mutating func put(_ points: [TilePoint]) { for point in points { self.put(point) } }

    /// Takes points out.
    mutating func remove(_ points: [Int64]) { for point in points { self.remove(point) } }

    /// Takes in what became of points.
    mutating func move(_ moves: [TileMove]) {
        for move in moves {
            if let point = move.point {
                self.put(point)
            } else {
                self.remove(move.id)
            }
        }
    }

    private mutating func put(_ point: TilePoint) {
        self.load?.told.insert(point.id)
        self.insert(point)
    }

    private mutating func remove(_ point: Int64) {
        self.load?.told.insert(point)
        self.delete(point)
    }

    private mutating func insert(_ point: TilePoint) {
        let place = MercatorPoint(point.coordinate)
        let known = self.values[point.id]
        guard known != nil || self.values.count < Self.pointLimit else {
            self.refusedPoints += 1
            return
        }
        if known != point.values {
            self.values[point.id] = point.values
            self.valueBytes += point.values.size - (known?.size ?? 0)
            if known != nil { self.noteRevalued(place) }
        }
        self.pyramid.put(point.id, at: place)
        self.hasChanges = true
    }

    private mutating func delete(_ point: Int64) {
        guard let values = self.values.removeValue(forKey: point) else { return }
        self.valueBytes -= values.size
        self.pyramid.remove(point)
        self.hasChanges = true
    }

    private mutating func noteRevalued(_ place: MercatorPoint) {
        for zoom in TileAddress.zooms {
            let tile = place.tile(zoom: zoom)
            if self.tiles[tile] != nil { self.unsure.insert(tile) }
        }
    }

    // MARK: - Loading

    /// Begins to take in all points that storage holds.
    mutating func beginLoad() { self.load = Load(isAnew: !self.values.isEmpty) }

    /// Takes in some of them.
    mutating func load(_ points: [TilePoint]) {
        for point in points where self.load?.told.contains(point.id) == false {
            if self.load?.isAnew == true { self.load?.seen.insert(point.id) }
            self.insert(point)
        }
    }

    /// Says that all that storage holds was taken in.
    ///
    /// - Returns: whether `sweep` is to be called, until it is done.
    mutating func endLoad() -> Bool {
        guard let load = self.load else { return false }
        self.isReady = true
        if load.isAnew {
            self.load?.swept = 0
        } else {
            self.load = nil
        }
        return load.isAnew
    }

    /// Takes out some of what storage does not hold any more.
    ///
    /// - Returns: whether that was all; nil when another load has begun.
    mutating func sweep() -> Bool? {
        guard let load = self.load, let swept = load.swept else { return nil }
        let (ids, next) = self.pyramid.points(from: swept, limit: Self.slotsAtOnce)
        for id in ids where !load.seen.contains(id) && !load.told.contains(id) { self.delete(id) }
        if next == nil {
            self.load = nil
        } else {
            self.load?.swept = next
        }
        return next == nil
    }

    // MARK: - Tiles

    /// Does some of what is left to do after changes at these zooms; false when there is more.
    mutating func settle(_ zooms: ClosedRange<Int>) -> Bool {
        self.pyramid.settle(steps: Self.stepsAtOnce, zooms)
    }

    /// Looks at one of the tiles that may have changed since they were told, in no order.
    mutating func checkTile() -> TileCheck {
        if let tile = self.unsure.popFirst() { return .changed(tile) }
        let check = self.pyramid.checkTile()
        if check == .noneLeft { self.hasChanges = false }
        return check
    }

    /// Finds what a tile shows now.
    ///
    /// - Returns: what is new since it was told; nil when nothing is, or it was never told.
    mutating func show(_ tile: TileAddress, version: UInt64) -> TileChange? {
        if self.tiles[tile]?.entries == nil { self.pyramid.watch(tile) }
        var entries = self.pyramid.features(in: tile).map { feature in
            guard case .point(let id) = feature.content else { return TileEntry(feature) }
            return TileEntry(feature, self.values[id] ?? PointValues())
        }
        entries.sort { $0.feature.entryKey < $1.feature.entryKey }
        guard let news = self.tiles[tile, default: AtlasTile()].show(entries, version: version) else { return nil }
        return TileChange(layer: self.id, tile: tile, version: version, entries: news.entries, gone: news.gone)
    }

    /// Notes that a tile was shown to somebody before its changes were told.
    mutating func noteShownEarly(_ tile: TileAddress) { self.unsure.insert(tile) }

    /// Forgets a tile.
    ///
    /// - Returns: whether anybody may have been told of it.
    mutating func close(_ tile: TileAddress) -> Bool {
        guard let known = self.tiles.removeValue(forKey: tile), known.entries != nil else { return false }
        self.pyramid.unwatch(tile)
        return true
    }

    /// All that a tile was last told to show; nil when it is not kept.
    func content(of tile: TileAddress) -> TileContent? {
        guard let known = self.tiles[tile], let entries = known.entries else { return nil }
        return TileContent(layer: self.id, tile: tile, version: known.version, entries: entries)
    }

    // MARK: - Clusters

    /// What a cluster holds; nil when there is none of that name any more.
    mutating func cluster(_ name: String) -> ClusterSummary? {
        ClusterName(name).flatMap { self.pyramid.cluster($0) }
    }

    /// Points of a cluster, and the cursor of the next page; nil when there is none of that name any more.
    mutating func leaves(
        of name: String,
        after cursor: LeafCursor?,
        limit: Int
    ) -> (points: [TilePoint], next: LeafCursor?)? {
        guard let page = ClusterName(name).flatMap({ self.pyramid.leaves(of: $0, after: cursor, limit: limit) }) else {
            return nil
        }
        let points = page.points.compactMap { id -> TilePoint? in
            guard let values = self.values[id], let place = self.pyramid.place(of: id) else { return nil }
            return TilePoint(id: id, coordinate: place.coordinate, values: values)
        }
        return (points, page.next)
    }
}
