/// An effect of the cluster service; each receiver must see its effects in this order.
package enum ClusterEffect: Equatable, Sendable {
    // Answers.
    /// A question is refused, with the reason.
    case refused(ClusterRequester, ClusterRefusal)
    /// A session is subscribed to a number of tiles; `subscription` is its number.
    case confirmed(ClusterRequester, subscription: Int64, tiles: Int)
    /// A request is complete.
    case done(ClusterRequester)
    /// The content of a tile.
    case tile(ClusterRequester, TileContent)
    /// The summary of a cluster.
    case cluster(ClusterRequester, ClusterSummary)
    /// Points of a cluster, and the cursor of the next page.
    case leaves(ClusterRequester, TileLayer, [TilePoint], next: LeafCursor?)

    /// A session's subscription failed; the previous one remains.
    case layerUnsubscribed(SessionID, TileLayer)

    // Topics.
    /// A session receives a tile from now on, beginning with its content.
    case subscribed(SessionID, TileLayer, TileAddress)
    /// A session no longer receives a tile.
    case unsubscribed(SessionID, TileLayer, TileAddress)
    /// A tile has a new version.
    case changed(TileChange)
    /// A tile is no longer kept.
    case closed(TileLayer, TileAddress)
}

/// A feature of a tile; a point also has its values.
package struct TileEntry: Hashable, Sendable {
    package var feature: TileFeature
    /// The values of a point; empty for a cluster.
    package var values: PointValues

    /// Creates an entry.
    package init(_ feature: TileFeature, _ values: PointValues = PointValues()) {
        self.feature = feature
        self.values = values
    }
}

/// The content of a tile.
package struct TileContent: Equatable, Sendable {
    package var layer: TileLayer
    package var tile: TileAddress
    /// The version, which rises with each change of the tile.
    package var version: UInt64
    /// The features, by rising entry key.
    package var entries: [TileEntry]
}

/// The difference between two versions of a tile.
package struct TileChange: Equatable, Sendable {
    package var layer: TileLayer
    package var tile: TileAddress
    /// The version after the change.
    package var version: UInt64
    /// New and changed features, by rising entry key.
    package var entries: [TileEntry]
    /// The entry keys of removed features, rising.
    package var gone: [Int64]
}
