/// What an atlas has done since it began.
package struct AtlasTotals: Equatable, Sendable {
    /// Tiles that were looked at anew, by watchers, readers, or for a change.
    package var shownTiles = 0
    /// Of those, the ones that showed something new to somebody.
    package var changedTiles = 0
    /// Features in what was told of them.
    package var changedFeatures = 0
}

/// What an atlas holds at a moment, and has done since it began.
package struct AtlasStatistics: Equatable, Sendable {
    /// Points by the name of the layers' kind.
    package var points: [String: Int] = [:]
    /// Points that were not taken because there are too many.
    package var refusedPoints = 0
    /// Layers.
    package var layers = 0
    /// Sessions that watch any.
    package var sessions = 0
    /// Tiles that are kept up to date, or kept for a while.
    package var tiles = 0
    /// Of these, tiles that may have changed and were not told yet.
    package var changedTiles = 0
    /// Blocks of cells that are kept.
    package var blocks = 0
    /// Memory of points with what they carry, of cells, and of tiles with what they show, in bytes.
    package var bytes = 0
    /// How often a cell became a centre, or ceased to be one.
    package var flips = 0
    package var totals = AtlasTotals()
    /// What waits for the next turn.
    package var jobs = 0
}

extension Atlas {
    /// What it holds and has done.
    package var statistics: AtlasStatistics {
        var statistics = AtlasStatistics()
        for layer in self.layers.values {
            let pyramid = layer.pyramid.statistics
            statistics.points[layer.kind.name, default: 0] += pyramid.points
            statistics.refusedPoints += layer.refusedPoints
            statistics.tiles += layer.tiles.count
            statistics.changedTiles += pyramid.changedTiles
            statistics.blocks += pyramid.blocks
            statistics.bytes += layer.bytes
            statistics.flips += pyramid.flips
        }
        statistics.layers = self.layers.count
        statistics.sessions = self.watches.count
        statistics.totals = self.totals
        statistics.jobs = self.jobs.count
        return statistics
    }
}
