/// The details of a cluster, sent on request.
package struct ClusterSummary: Hashable, Sendable {
    /// The number of points.
    package var count: Int
    /// The smallest box that contains the points.
    package var bounds: MercatorBounds
    /// The first zoom above the cluster's at which its points are not all in one feature; 17 if there is none up to 16.
    package var expansionZoom: Int

    /// Creates a summary.
    package init(count: Int, bounds: MercatorBounds, expansionZoom: Int) {
        self.count = count
        self.bounds = bounds
        self.expansionZoom = expansionZoom
    }
}

/// A box on the map, edges included; if it crosses the date line, `northWest` is east of `southEast`.
package struct MercatorBounds: Hashable, Sendable {
    package var northWest: MercatorPoint
    package var southEast: MercatorPoint

    /// Creates a box from two corners.
    package init(northWest: MercatorPoint, southEast: MercatorPoint) {
        self.northWest = northWest
        self.southEast = southEast
    }
}
