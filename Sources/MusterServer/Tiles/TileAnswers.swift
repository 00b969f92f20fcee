import MusterCore
import MusterWire

/// The confirmation of a tile subscription.
///
/// Its tiles follow.
struct TilesWatchAnswer: Encodable, Equatable, Sendable {
    private let watch: String
    private let tiles: Int

    /// Creates the answer with the number of the subscription, and the number of tiles that it covers.
    init(subscription watch: Int64, tiles: Int) {
        self.watch = String(watch)
        self.tiles = tiles
    }
}

/// The content of a cluster.
struct ClusterAnswer: Encodable, Equatable, Sendable {
    private let count: Int
    private let expansionZoom: Int
    /// West, south, east and north in degrees.
    private let bbox: [RoundedNumber]

    private enum CodingKeys: String, CodingKey {
        case count
        case expansionZoom = "expansion_zoom"
        case bbox
    }

    /// Creates the answer for a cluster's summary.
    init(_ summary: ClusterSummary) {
        self.count = summary.count
        self.expansionZoom = summary.expansionZoom
        let (northWest, southEast) = (summary.bounds.northWest.coordinate, summary.bounds.southEast.coordinate)
        self.bbox = [northWest.longitude, southEast.latitude, southEast.longitude, northWest.latitude].map {
            RoundedNumber($0, decimals: 7)
        }
    }
}
