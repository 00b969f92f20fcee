/// A point of a layer, as its source delivers it.
package struct TilePoint: Equatable, Sendable {
    /// The id within the layer.
    package var id: Int64
    package var coordinate: Coordinate
    /// The values that its feature has when it is shown individually.
    package var values: PointValues

    /// Creates a point.
    package init(id: Int64, coordinate: Coordinate, values: PointValues = PointValues()) {
        self.id = id
        self.coordinate = coordinate
        self.values = values
    }
}

/// A change of a point in a layer with a live source.
package struct TileMove: Equatable, Sendable {
    package var id: Int64
    /// The point after the change; nil if it is no longer visible.
    package var point: TilePoint?
    /// Whether less is visible than before, so that the change must take effect at once.
    var isNarrower: Bool

    /// Creates a change of a point.
    package init(id: Int64, point: TilePoint?, isNarrower: Bool) {
        self.id = id
        self.point = point
        self.isNarrower = isNarrower
    }
}
