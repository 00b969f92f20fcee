/// The position and name of a spot.
package struct NamedPlace: Sendable, Equatable {
    package var spot: SpotID
    package var coordinate: Coordinate
    package var name: String

    /// Creates a named place.
    package init(spot: SpotID, coordinate: Coordinate, name: String) {
        self.spot = spot
        self.coordinate = coordinate
        self.name = name
    }
}
