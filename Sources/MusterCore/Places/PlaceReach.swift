/// The bounding box of many places.
///
/// It is tracked per degree of longitude, so its size does not depend on their number.
package struct PlaceReach: Sendable {
    private var south = 90.0
    private var north = -90.0
    private var columns = [LongitudeArc?](repeating: nil, count: 360)

    /// Creates an empty box.
    package init() {}

    /// Adds a place.
    package mutating func add(_ point: Coordinate) {
        self.south = min(self.south, point.latitude)
        self.north = max(self.north, point.latitude)
        let column = min(359, max(0, Int((point.longitude + 180).rounded(.down))))
        let known = self.columns[column] ?? LongitudeArc(west: point.longitude, east: point.longitude)
        self.columns[column] = LongitudeArc(
            west: min(known.west, point.longitude),
            east: max(known.east, point.longitude)
        )
    }

    /// The bounding box; nil when there are no places.
    package var extent: Place.Extent? {
        LongitudeArc.holding(self.columns.compactMap { $0 }).map { arc in
            Place.Extent(west: arc.west, south: self.south, east: arc.east, north: self.north)
        }
    }
}
