/// A feature of a tile: a point, or a cluster of several.
package struct TileFeature: Hashable, Sendable {
    /// The content of a feature.
    package enum Content: Hashable, Sendable {
        /// One point, by its id.
        case point(Int64)
        /// Several points.
        case cluster(ClusterName)
    }

    /// The number of positions on each side of a tile, in which `x` and `y` are counted.
    package static let extent = 4096

    /// The distance eastwards from the tile's western edge, in 1/4096 of its side.
    package var x: UInt16
    /// The distance southwards from the tile's northern edge, in 1/4096 of its side.
    package var y: UInt16
    /// The number of points.
    package var count: Int
    /// The point or the cluster.
    package var content: Content
    /// The key among the entries of the tile's topic.
    ///
    /// The key of a point is its id. The key of a cluster is −1 − 16 · row − column of its centre's cell in the tile.
    /// If its smallest member id names it, the key is minus that id. Ids of points are positive, so no two features of
    /// a tile have the same key.
    package var entryKey: Int64

    /// Creates a feature at a place of a tile.
    package init(at place: MercatorPoint, of tile: TileAddress, count: Int, content: Content, entryKey: Int64) {
        (self.x, self.y) = (Self.step(place.x, zoom: tile.zoom), Self.step(place.y, zoom: tile.zoom))
        self.count = count
        self.content = content
        self.entryKey = entryKey
    }

    /// The position within a tile's side of a map coordinate, in 1/4096.
    static func step(_ coordinate: UInt32, zoom: Int) -> UInt16 {
        // A negative shift is a left shift: at zooms 21 and 22 a tile has fewer than 4096 steps of the map.
        UInt16(truncatingIfNeeded: coordinate >> (20 - zoom)) & UInt16(Self.extent - 1)
    }

    /// The coordinate of the feature in its tile.
    package func coordinate(in tile: TileAddress) -> Coordinate {
        let side = Double(1 << tile.zoom)
        let (x, y) = (Double(self.x) / Double(Self.extent), Double(self.y) / Double(Self.extent))
        return MercatorPoint.coordinate(x: (Double(tile.x) + x) / side, y: (Double(tile.y) + y) / side)
    }
}
