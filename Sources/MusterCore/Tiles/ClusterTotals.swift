/// The totals of a cluster service since its start.
package struct ClusterTotals: Equatable, Sendable {
    /// Tiles that were read, for subscribers, requests or a change.
    package var shownTiles = 0
    /// Tiles among these that had changed.
    package var changedTiles = 0
    /// Features in the sent changes.
    package var changedFeatures = 0
}

/// The current size of a cluster service, and its totals since the start.
package struct ClusterStatistics: Equatable, Sendable {
    /// Points by the name of the layer kind.
    package var points: [String: Int] = [:]
    /// Points rejected because of the limit.
    package var refusedPoints = 0
    /// Layers.
    package var layers = 0
    /// Sessions with a subscription.
    package var sessions = 0
    /// Tiles in use, or kept for a while.
    package var tiles = 0
    /// Tiles among these that may have changed and were not sent yet.
    package var changedTiles = 0
    /// Blocks of cells in memory.
    package var blocks = 0
    /// The memory of points with their values, of cells, and of tiles with their entries, in bytes.
    package var bytes = 0
    /// The number of times a cell became a centre, or ceased to be one.
    package var flips = 0
    package var totals = ClusterTotals()
    /// Pending jobs.
    package var jobs = 0
}

extension ClusterService {
    /// The current statistics.
    package var statistics: ClusterStatistics {
        var statistics = ClusterStatistics()
        for layer in self.layers.values {
            let clusterIndex = layer.clusterIndex.statistics
            statistics.points[layer.kind.name, default: 0] += clusterIndex.points
            statistics.refusedPoints += layer.refusedPoints
            statistics.tiles += layer.tiles.count
            statistics.changedTiles += clusterIndex.changedTiles
            statistics.blocks += clusterIndex.blocks
            statistics.bytes += layer.bytes
            statistics.flips += clusterIndex.flips
        }
        statistics.layers = self.layers.count
        statistics.sessions = self.subscriptions.count
        statistics.totals = self.totals
        statistics.jobs = self.jobs.count
        return statistics
    }
}
