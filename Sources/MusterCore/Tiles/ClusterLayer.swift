// Invariants
// - The cluster index is subscribed to exactly the tiles that have entries.
// - A point is in the cluster index exactly if it has values.

/// A layer of the cluster service: its points, and the tiles in use.
struct ClusterLayer {
    /// The largest number of points in a layer.
    static let pointLimit = 5_000_000
    /// The number of steps of pending changes in one piece, which takes far less than an iteration's time.
    private static let stepsAtOnce = 4096

    /// The number of points examined in one piece for whether storage still holds them.
    private static let slotsAtOnce = 4096

    /// The progress of a load.
    private struct Load {
        /// Whether the layer had points before, some of which may have been removed.
        let isAnew: Bool
        /// Points that changed during the load: the loaded data is older.
        var sent: Set<Int64> = []
        /// The loaded points, if there were some before.
        var seen: Set<Int64> = []
        /// The index up to which earlier points were swept, after the load.
        var swept: Int?
    }

    let id: TileLayer
    let kind: LayerKind
    private(set) var clusterIndex: ClusterIndex
    private var values: [Int64: PointValues] = [:]
    /// The memory of the values in bytes.
    private var valueBytes = 0
    private var load: Load?
    /// Whether the layer can be queried.
    private(set) var isReady: Bool
    var tiles: [TileAddress: ClusterTile] = [:]
    /// Tiles that may have changed without a report from the cluster index.
    ///
    /// A point may have new values at the same place. Or the tile was shown between two changes, and the second one may
    /// have undone the first.
    private var unsure: Set<TileAddress> = []
    /// Whether a tile may differ from its last sent content.
    private(set) var hasChanges = false
    /// Whether the layer's changes are scheduled.
    var isDue = false
    /// Whether the layer's changes are scheduled before others.
    var isUrgent = false
    /// The number of points rejected because of the limit.
    private(set) var refusedPoints = 0

    /// Creates a layer without points.
    init(_ id: TileLayer, kind: LayerKind, isReady: Bool) {
        self.id = id
        self.kind = kind
        self.isReady = isReady
        self.clusterIndex = ClusterIndex(naming: kind.naming)
    }

    // MARK: - Points

    /// The memory in bytes: points with their values, cells, and tiles with their entries.
    var bytes: Int {
        let tile = MemoryLayout<TileAddress>.stride + MemoryLayout<ClusterTile>.stride
        return self.clusterIndex.statistics.bytes + self.valueBytes
            + self.values.capacity * (MemoryLayout<Int64>.stride + MemoryLayout<PointValues>.stride)
            + self.tiles.capacity * tile + self.tiles.values.reduce(0) { $0 + $1.bytes }
    }

    /// Adds points, or moves them.
    mutating func put(_ points: [TilePoint]) { for point in points { self.put(point) } }

    /// Removes points.
    mutating func remove(_ points: [Int64]) { for point in points { self.remove(point) } }

    /// Applies changes of points.
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
        self.load?.sent.insert(point.id)
        self.insert(point)
    }

    private mutating func remove(_ point: Int64) {
        self.load?.sent.insert(point)
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
        self.clusterIndex.put(point.id, at: place)
        self.hasChanges = true
    }

    private mutating func delete(_ point: Int64) {
        guard let values = self.values.removeValue(forKey: point) else { return }
        self.valueBytes -= values.size
        self.clusterIndex.remove(point)
        self.hasChanges = true
    }

    private mutating func noteRevalued(_ place: MercatorPoint) {
        for zoom in TileAddress.zooms {
            let tile = place.tile(zoom: zoom)
            if self.tiles[tile] != nil { self.unsure.insert(tile) }
        }
    }

    // MARK: - Loading

    /// Begins a load of all points in storage.
    mutating func beginLoad() { self.load = Load(isAnew: !self.values.isEmpty) }

    /// Adds some of the loaded points.
    mutating func load(_ points: [TilePoint]) {
        for point in points where self.load?.sent.contains(point.id) == false {
            if self.load?.isAnew == true { self.load?.seen.insert(point.id) }
            self.insert(point)
        }
    }

    /// Ends the load.
    ///
    /// - Returns: whether `sweep` must be called until it is done.
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

    /// Removes some of the points that storage no longer holds.
    ///
    /// - Returns: whether the sweep is complete; nil if another load has begun.
    mutating func sweep() -> Bool? {
        guard let load = self.load, let swept = load.swept else { return nil }
        let (ids, next) = self.clusterIndex.points(from: swept, limit: Self.slotsAtOnce)
        for id in ids where !load.seen.contains(id) && !load.sent.contains(id) { self.delete(id) }
        if next == nil {
            self.load = nil
        } else {
            self.load?.swept = next
        }
        return next == nil
    }

    // MARK: - Tiles

    /// Applies some of the pending changes at these zooms; false if there are more.
    mutating func resolve(_ zooms: ClosedRange<Int>) -> Bool {
        self.clusterIndex.resolve(steps: Self.stepsAtOnce, zooms)
    }

    /// Checks one of the tiles that may have changed since they were sent, in no particular order.
    mutating func checkTile() -> TileCheck {
        if let tile = self.unsure.popFirst() { return .changed(tile) }
        let check = self.clusterIndex.checkTile()
        if check == .noneLeft { self.hasChanges = false }
        return check
    }

    /// Reads the current features of a tile.
    ///
    /// - Returns: the changes since the tile was sent; nil if there are none, or it was never sent.
    mutating func show(_ tile: TileAddress, version: UInt64) -> TileChange? {
        if self.tiles[tile]?.entries == nil { self.clusterIndex.subscribe(tile) }
        var entries = self.clusterIndex.features(in: tile).map { feature in
            guard case .point(let id) = feature.content else { return TileEntry(feature) }
            return TileEntry(feature, self.values[id] ?? PointValues())
        }
        entries.sort { $0.feature.entryKey < $1.feature.entryKey }
        guard let difference = self.tiles[tile, default: ClusterTile()].show(entries, version: version) else {
            return nil
        }
        return TileChange(
            layer: self.id,
            tile: tile,
            version: version,
            entries: difference.entries,
            gone: difference.gone
        )
    }

    /// Records that a tile was shown before its changes were sent.
    mutating func noteShownBeforehand(_ tile: TileAddress) { self.unsure.insert(tile) }

    /// Discards a tile.
    ///
    /// - Returns: whether its content may have been sent.
    mutating func close(_ tile: TileAddress) -> Bool {
        guard let known = self.tiles.removeValue(forKey: tile), known.entries != nil else { return false }
        self.clusterIndex.unsubscribe(tile)
        return true
    }

    /// The last sent content of a tile; nil if the tile is not kept.
    func content(of tile: TileAddress) -> TileContent? {
        guard let known = self.tiles[tile], let entries = known.entries else { return nil }
        return TileContent(layer: self.id, tile: tile, version: known.version, entries: entries)
    }

    // MARK: - Clusters

    /// The summary of a cluster; nil if there is no cluster with this name any more.
    mutating func cluster(_ name: String) -> ClusterSummary? {
        ClusterName(name).flatMap { self.clusterIndex.cluster($0) }
    }

    /// Points of a cluster, and the cursor of the next page; nil if there is no cluster with this name any more.
    mutating func leaves(
        of name: String,
        after cursor: LeafCursor?,
        limit: Int
    ) -> (points: [TilePoint], next: LeafCursor?)? {
        guard let page = ClusterName(name).flatMap({ self.clusterIndex.leaves(of: $0, after: cursor, limit: limit) })
        else {
            return nil
        }
        let points = page.points.compactMap { id -> TilePoint? in
            guard let values = self.values[id], let place = self.clusterIndex.place(of: id) else { return nil }
            return TilePoint(id: id, coordinate: place.coordinate, values: values)
        }
        return (points, page.next)
    }
}
