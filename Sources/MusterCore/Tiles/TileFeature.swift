/// What a tile shows at one place: a point, or a cluster of several.
package struct TileFeature: Hashable, Sendable {
    /// What it is.
    package enum Content: Hashable, Sendable {
        /// One point, by its id.
        case point(Int64)
        /// Several points.
        case cluster(ClusterName)
    }

    /// Places of a tile on each side: what a feature's `x` and `y` count in.
    package static let extent = 4096

    /// Eastwards from the tile's western edge, in 1/4096 of its side.
    package var x: UInt16
    /// Southwards from the tile's northern edge, in 1/4096 of its side.
    package var y: UInt16
    /// How many points it stands for.
    package var count: Int
    /// The point or the cluster.
    package var content: Content
    /// Its key among the entries of the tile's topic.
    ///
    /// A point's is its id; a cluster's is −1 − 16 · row − column of its centre's cell in the tile or, when named by its
    /// least member, minus that. Ids of points are positive, so no two features of a tile share one.
    package var entryKey: Int64

    /// Puts a feature at a place of a tile.
    package init(at place: MercatorPoint, of tile: TileAddress, count: Int, content: Content, entryKey: Int64) {
        (self.x, self.y) = (Self.step(place.x, zoom: tile.zoom), Self.step(place.y, zoom: tile.zoom))
        self.count = count
        self.content = content
        self.entryKey = entryKey
    }

    /// The place within a tile's side of a coordinate of the map, in 1/4096.
    static func step(_ coordinate: UInt32, zoom: Int) -> UInt16 {
        // A negative shift goes the other way: at zooms 21 and 22 a tile has fewer than 4096 steps of the map.
        UInt16(truncatingIfNeeded: coordinate >> (20 - zoom)) & UInt16(Self.extent - 1)
    }

    /// The coordinate of the feature, as a feature of that tile.
    package func coordinate(in tile: TileAddress) -> Coordinate {
        let side = Double(1 << tile.zoom)
        let (x, y) = (Double(self.x) / Double(Self.extent), Double(self.y) / Double(Self.extent))
        return MercatorPoint.coordinate(x: (Double(tile.x) + x) / side, y: (Double(tile.y) + y) / side)
    }
}
