/// What is told of a cluster on demand.
package struct ClusterSummary: Hashable, Sendable {
    /// How many points it has.
    package var count: Int
    /// The least box that holds its points.
    package var bounds: MercatorBounds
    /// The first zoom above the cluster's at which its points are not all in one feature; 17 when there is none up to 16.
    package var expansionZoom: Int

    /// Describes a cluster.
    package init(count: Int, bounds: MercatorBounds, expansionZoom: Int) {
        self.count = count
        self.bounds = bounds
        self.expansionZoom = expansionZoom
    }
}

/// A box on the map, its edges included; one that crosses the date line has its west east of its east.
package struct MercatorBounds: Hashable, Sendable {
    package var northWest: MercatorPoint
    package var southEast: MercatorPoint

    /// Creates a box from two corners.
    package init(northWest: MercatorPoint, southEast: MercatorPoint) {
        self.northWest = northWest
        self.southEast = southEast
    }
}
