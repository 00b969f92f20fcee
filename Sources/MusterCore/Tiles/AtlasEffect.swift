/// Everything that the atlas asks of those around it, in the order in which it must be seen by each of them.
package enum AtlasEffect: Equatable, Sendable {
    // Answers.
    /// A question is not answered, and why.
    case refused(AtlasAsker, AtlasRefusal)
    /// A session watches so many tiles from now on; `watch` names the watch.
    case watching(AtlasAsker, watch: Int64, tiles: Int)
    /// What was asked for is done.
    case done(AtlasAsker)
    /// A tile as it is.
    case tile(AtlasAsker, TileContent)
    /// What a cluster holds.
    case cluster(AtlasAsker, ClusterSummary)
    /// Points of a cluster, and the cursor of the next page.
    case leaves(AtlasAsker, TileLayer, [TilePoint], next: LeafCursor?)

    /// A session's watch has not come about: it watches what it did before.
    case unwatched(SessionID, TileLayer)

    // Topics.
    /// A session is told of a tile from now on, beginning with all of it.
    case subscribed(SessionID, TileLayer, TileAddress)
    /// A session is told of a tile no longer.
    case unsubscribed(SessionID, TileLayer, TileAddress)
    /// A tile has a new version.
    case changed(TileChange)
    /// A tile is kept no longer.
    case closed(TileLayer, TileAddress)
}

/// A feature of a tile, with what it carries when it is a point.
package struct TileEntry: Hashable, Sendable {
    package var feature: TileFeature
    /// Empty for a cluster.
    package var values: PointValues

    /// Joins the two.
    package init(_ feature: TileFeature, _ values: PointValues = PointValues()) {
        self.feature = feature
        self.values = values
    }
}

/// All of a tile.
package struct TileContent: Equatable, Sendable {
    package var layer: TileLayer
    package var tile: TileAddress
    /// Rises with each change of the tile.
    package var version: UInt64
    /// Its features, by rising entry key.
    package var entries: [TileEntry]
}

/// What changed in a tile between two versions.
package struct TileChange: Equatable, Sendable {
    package var layer: TileLayer
    package var tile: TileAddress
    /// The version after the change.
    package var version: UInt64
    /// Features that are new or changed, by rising entry key.
    package var entries: [TileEntry]
    /// Entry keys of features that are gone, rising.
    package var gone: [Int64]
}
