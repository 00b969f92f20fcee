import MusterCommands
import MusterCore

/// `muster bench tiles`: clusters of moving points, kept up to date and read for the first time.
///
/// It runs only the core's cluster index, on one thread, and measures processor time. The points are the same in every
/// run with the same seed.
struct TilesBench: BenchKind {
    static let name = "tiles"
    static let summary = "clusters of moving points: loading, a tick with subscribed tiles, first and repeated reads"
    static let optionNames: Set<String> = ["points", "beside"]

    private static let moved = 1000
    private static let ticks = 40
    private static let readZooms = 0...12
    private static let shownZooms = [0, 4, 8, 12]

    let points: Int
    /// The shell command of another index, see ``ClusterPeer``.
    let peer: String?

    init(_ values: OptionValues) throws(UsageError) {
        self.points = try values.integer("points", in: 1000...5_000_000)
        self.peer = values.text("beside")
    }

    var parameters: [(name: String, value: String)] {
        [("points", String(self.points)), ("moves per tick", String(Self.moved)), ("ticks", String(Self.ticks))]
            + (self.peer == nil ? [] : [("beside", "another index")])
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.blocking {
            var outcome = BenchOutcome()
            for number in 1...context.runs {
                context.progress.show("run \(number) of \(context.runs)")
                outcome.runs.append(try self.measure(context))
            }
            outcome.notes = [
                self.peer == nil
                    ? "CPU time of one thread"
                    : "CPU time of one thread, and total CPU time of the baseline, which is rebuilt for any change",
                "a tick: 1,000 points move by 10 to 50 m; then all changed tiles are found and read",
            ]
            return outcome
        }
    }

    /// The thread's processor time for some work, in nanoseconds.
    private static func time(_ work: () throws -> Void) rethrows -> Double {
        let start = ProcessUsage.threadNanoseconds
        try work()
        return Double(ProcessUsage.threadNanoseconds - start)
    }

    /// The results of the ticks.
    private struct Ticks {
        var nanoseconds: [Double] = []
        var tiles = 0
        /// The number of features in changed tiles, and of those that changed or were removed.
        var whole = 0
        var sent = 0
        /// The number of new cluster ids.
        var names = 0
        var subscribedFeatures = 0
    }

    /// Blocks.
    private func measure(_ context: BenchContext) throws(BenchError) -> [BenchFigure] {
        var crowd = TilesCrowd(points: self.points, seed: 1)
        var clusterIndex = ClusterIndex(naming: .cell)
        var peer: ClusterPeer?
        if let command = self.peer { peer = try ClusterPeer(command: command, points: crowd.places, context) }
        let load = Self.time {
            for (index, place) in crowd.places.enumerated() { clusterIndex.put(Int64(index + 1), at: place) }
        }
        let bytes = Double(clusterIndex.statistics.bytes) / Double(self.points)
        try context.checkStop()

        let moves = crowd.moves(200_000)
        let move = Self.time { for move in moves { clusterIndex.put(move.id, at: move.place) } } / Double(moves.count)
        try context.checkStop()

        var figures = [
            BenchFigure("load_ms", "time until the first tile can be read", load / 1e6, "ms"),
            BenchFigure("point_bytes", "memory of the tree per point", bytes, "bytes"),
            BenchFigure("move_ns", "a move in the tree", move, "ns"),
        ]
        figures += try self.measureReading(&clusterIndex, crowd, context)
        figures += try self.measureTicks(&clusterIndex, &crowd, context)
        if let peer { figures += Self.compare(figures, with: peer) }
        return figures
    }

    /// The figures of the other index, and the ratios to Muster's.
    private static func compare(_ ours: [BenchFigure], with peer: ClusterPeer) -> [BenchFigure] {
        let mine = Dictionary(uniqueKeysWithValues: ours.map { ($0.key, $0.value) })
        func ratio(_ theirs: Double, _ key: String) -> Double { mine[key].map { theirs / $0 } ?? .nan }
        var figures = [
            BenchFigure("beside_load_ms", "baseline: time until the first tile can be read", peer.load, "ms"),
            BenchFigure("beside_rebuild_ms", "baseline: rebuild for a change", peer.rebuild, "ms"),
            BenchFigure("load_ratio", "loading, speed relative to the baseline", ratio(peer.load, "load_ms"), "×"),
            BenchFigure("tick_ratio", "a tick, speed relative to its rebuild", ratio(peer.rebuild, "tick_ms"), "×"),
        ]
        for zoom in Self.shownZooms {
            guard let theirs = peer.figures["read_z\(zoom)"] else { continue }
            figures.append(
                BenchFigure("beside_read_z\(zoom)", "baseline: tiles read once, zoom \(zoom)", theirs, "/s")
            )
        }
        if let theirs = peer.figures["read_all_ms"] {
            figures += [
                BenchFigure("beside_read_all_ms", "baseline: all tiles of zooms 0 to 12", theirs, "ms"),
                BenchFigure(
                    "read_all_ratio",
                    "all tiles of zooms 0 to 12, speed relative to the baseline",
                    ratio(theirs, "read_all_ms"),
                    "×"
                ),
            ]
        }
        return figures
    }

    /// Reads all tiles of each zoom level once, without cached tiles.
    private func measureReading(
        _ clusterIndex: inout ClusterIndex,
        _ crowd: TilesCrowd,
        _ context: BenchContext
    ) throws(BenchError) -> [BenchFigure] {
        var figures: [BenchFigure] = []
        var (sum, count) = (0.0, 0)
        for zoom in Self.readZooms {
            let tiles = crowd.tiles(zoom: zoom)
            var features = 0
            let time = Self.time { for tile in tiles { features += clusterIndex.features(in: tile).count } }
            sum += time
            count += tiles.count
            try context.checkStop()
            guard Self.shownZooms.contains(zoom) else { continue }
            let label = "tiles read first, zoom \(zoom), \(features) features"
            figures.append(BenchFigure("read_z\(zoom)", label, Double(tiles.count) / time * 1e9, "/s"))
        }
        figures.append(BenchFigure("read_all", "all tiles of zooms 0 to 12", Double(count) / sum * 1e9, "/s"))
        figures.append(BenchFigure("read_all_ms", "all tiles of zooms 0 to 12, time", sum / 1e6, "ms"))
        return figures
    }

    private func measureTicks(
        _ clusterIndex: inout ClusterIndex,
        _ crowd: inout TilesCrowd,
        _ context: BenchContext
    ) throws(BenchError) -> [BenchFigure] {
        // Cached tiles are invalidated as points move.
        for move in crowd.moves(200_000) { clusterIndex.put(move.id, at: move.place) }
        let before = clusterIndex.statistics.bytes
        let tiles = crowd.subscribedTiles()
        var shown: [TileAddress: [TileFeature]] = [:]
        for tile in tiles {
            clusterIndex.subscribe(tile)
            shown[tile] = clusterIndex.features(in: tile)
        }
        let bytes = Double(clusterIndex.statistics.bytes - before) / Double(tiles.count)
        var ticks = Ticks()
        ticks.subscribedFeatures = shown.values.reduce(0) { $0 + $1.count }
        for _ in 0..<Self.ticks {
            try context.checkStop()
            let moves = crowd.moves(Self.moved)
            var changed: [(tile: TileAddress, features: [TileFeature])] = []
            ticks.nanoseconds.append(
                Self.time {
                    for move in moves { clusterIndex.put(move.id, at: move.place) }
                    while let tile = clusterIndex.nextChangedTile() {
                        changed.append((tile, clusterIndex.features(in: tile)))
                    }
                }
            )
            for (tile, features) in changed {
                Self.count(shown.updateValue(features, forKey: tile) ?? [], features, &ticks)
            }
            ticks.tiles += changed.count
        }
        var read = 0
        let unchanged = Self.time {
            for _ in 0..<20 { for tile in tiles { read += clusterIndex.features(in: tile).count } }
        }
        let tick = ticks.nanoseconds.median
        let each = Double(Self.ticks)
        return [
            BenchFigure("tile_bytes", "memory per subscribed tile", bytes, "bytes"),
            BenchFigure("watched", "subscribed tiles", Double(tiles.count), ""),
            BenchFigure("watched_features", "features of these", Double(ticks.subscribedFeatures), ""),
            BenchFigure("tick_ms", "a tick", tick / 1e6, "ms"),
            BenchFigure("changed_tiles", "changed tiles per tick", Double(ticks.tiles) / each, ""),
            BenchFigure("changed_whole", "features of these tiles", Double(ticks.whole) / each, ""),
            BenchFigure("sent", "features sent per tick", Double(ticks.sent) / each, ""),
            BenchFigure("new_names", "clusters with a new id per tick", Double(ticks.names) / each, ""),
            BenchFigure(
                "read_again",
                "unchanged tiles read",
                Double(20 * tiles.count) / unchanged * 1e9,
                "/s"
            ),
        ]
    }

    private static func count(_ old: [TileFeature], _ new: [TileFeature], _ ticks: inout Ticks) {
        let (before, after) = (Set(old), Set(new))
        let keys = Set(new.map(\.entryKey))
        ticks.whole += new.count
        ticks.sent += after.subtracting(before).count + old.count { !keys.contains($0.entryKey) }
        ticks.names += keys.subtracting(old.map(\.entryKey)).count { $0 < 0 }
    }
}
