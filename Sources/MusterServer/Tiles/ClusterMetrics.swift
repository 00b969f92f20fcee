import MusterCore

extension MetricsPage {
    /// The metrics of the cluster service, as of its last tick.
    static let clusters: [Metric<(report: ClusterReport, clusters: ClusterStatistics)>] = [
        Metric("muster_atlas_points", .gauge, "Points on all layers, by the layer's kind.") { source in
            .samples(source.clusters.points.sorted { $0.key < $1.key }.map { ([("kind", $0.key)], $0.value) })
        },
        Metric("muster_atlas_refused_points_total", .counter, "Points refused because a layer was full.") {
            .integer($0.clusters.refusedPoints)
        },
        Metric("muster_atlas_layers", .gauge, "Layers in memory.") { .integer($0.clusters.layers) },
        Metric("muster_atlas_sessions", .gauge, "Sessions that watch tiles.") { .integer($0.clusters.sessions) },
        Metric("muster_atlas_blocks", .gauge, "Blocks of cells in memory.") { .integer($0.clusters.blocks) },
        Metric("muster_atlas_bytes", .gauge, "Memory of points, cells and cached tiles.") {
            .integer($0.clusters.bytes)
        },
        Metric("muster_atlas_flips_total", .counter, "Cells that became or stopped being a cluster's centre.") {
            .integer($0.clusters.flips)
        },
        Metric("muster_atlas_waiting", .gauge, "Tiles waiting to be built for a session.") {
            .integer($0.clusters.jobs)
        },
        Metric("muster_atlas_turn_seconds", .histogram, "Duration of the ticks of the cluster service.") {
            .histogram($0.report.iterations)
        },
        Metric("muster_tiles_kept", .gauge, "Cached tiles.") {
            .integer($0.clusters.tiles)
        },
        Metric("muster_tiles_dirty", .gauge, "Cached tiles that may have changed and were not checked yet.") {
            .integer($0.clusters.changedTiles)
        },
        Metric("muster_tiles_rebuilt_total", .counter, "Tiles built for a subscription, a read or a change.") {
            .integer($0.clusters.totals.shownTiles)
        },
        Metric("muster_tiles_rebuild_seconds_total", .counter, "Total time of all work of the cluster service.") {
            .number($0.report.workSeconds)
        },
        Metric("muster_tiles_changed_total", .counter, "Built tiles that differed from their last version.") {
            .integer($0.clusters.totals.changedTiles)
        },
        Metric("muster_tiles_features_total", .counter, "Features sent as new, changed or gone.") {
            .integer($0.clusters.totals.changedFeatures)
        },
    ]
}
