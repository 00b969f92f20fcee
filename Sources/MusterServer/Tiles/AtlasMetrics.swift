import MusterCore

extension MetricsPage {
    /// The metrics of the atlas, as of its last tick.
    static let atlas: [Metric<(report: AtlasReport, atlas: AtlasStatistics)>] = [
        Metric("muster_atlas_points", .gauge, "Points on maps, by the kind of their layer.") { source in
            .samples(source.atlas.points.sorted { $0.key < $1.key }.map { ([("kind", $0.key)], $0.value) })
        },
        Metric("muster_atlas_refused_points_total", .counter, "Points that a layer had no room for.") {
            .integer($0.atlas.refusedPoints)
        },
        Metric("muster_atlas_layers", .gauge, "Layers that are held.") { .integer($0.atlas.layers) },
        Metric("muster_atlas_sessions", .gauge, "Sessions that watch tiles.") { .integer($0.atlas.sessions) },
        Metric("muster_atlas_blocks", .gauge, "Blocks of cells that are kept.") { .integer($0.atlas.blocks) },
        Metric("muster_atlas_bytes", .gauge, "Memory of points, cells and kept tiles.") { .integer($0.atlas.bytes) },
        Metric("muster_atlas_flips_total", .counter, "Cells that became a cluster's centre, or ceased to be one.") {
            .integer($0.atlas.flips)
        },
        Metric("muster_atlas_waiting", .gauge, "Tiles that somebody waits to be shown.") { .integer($0.atlas.jobs) },
        Metric("muster_atlas_turn_seconds", .histogram, "How long the atlas's turns take.") {
            .histogram($0.report.turns)
        },
        Metric("muster_tiles_kept", .gauge, "Tiles that are kept up to date, or kept for a while.") {
            .integer($0.atlas.tiles)
        },
        Metric("muster_tiles_dirty", .gauge, "Of these, tiles that may have changed and were not told yet.") {
            .integer($0.atlas.changedTiles)
        },
        Metric("muster_tiles_rebuilt_total", .counter, "Tiles looked at anew, for a watcher, a reader or a change.") {
            .integer($0.atlas.totals.shownTiles)
        },
        Metric("muster_tiles_rebuild_seconds_total", .counter, "How long that and all other work took together.") {
            .number($0.report.workSeconds)
        },
        Metric("muster_tiles_changed_total", .counter, "Of these, tiles that showed something new to somebody.") {
            .integer($0.atlas.totals.changedTiles)
        },
        Metric("muster_tiles_features_total", .counter, "Features that were told of as new, changed or gone.") {
            .integer($0.atlas.totals.changedFeatures)
        },
    ]
}
