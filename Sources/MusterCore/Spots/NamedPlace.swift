/// A spot as far as it names a place.
package struct NamedPlace: Sendable, Equatable, Codable {
    package var spot: SpotID
    package var coordinate: Coordinate
    package var name: String

    /// Names a place.
    package init(spot: SpotID, coordinate: Coordinate, name: String) {
        self.spot = spot
        self.coordinate = coordinate
        self.name = name
    }
}
