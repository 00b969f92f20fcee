/// A point of a layer, as its source hands it over.
package struct TilePoint: Equatable, Sendable, Codable {
    /// The id within the layer.
    package var id: Int64
    package var coordinate: Coordinate
    /// What its feature carries when it stands alone.
    package var values: PointValues

    /// Creates a point.
    package init(id: Int64, coordinate: Coordinate, values: PointValues = PointValues()) {
        self.id = id
        self.coordinate = coordinate
        self.values = values
    }
}

/// What became of a point of a layer that its source keeps telling of.
package struct TileMove: Equatable, Sendable, Codable {
    package var id: Int64
    /// The point as it is now; nil when it is not to be seen any more.
    package var point: TilePoint?
    /// Whether less is to be seen than before, so that nobody may wait for it.
    package var isNarrower: Bool

    /// Tells what became of a point.
    package init(id: Int64, point: TilePoint?, isNarrower: Bool) {
        self.id = id
        self.point = point
        self.isNarrower = isNarrower
    }
}
