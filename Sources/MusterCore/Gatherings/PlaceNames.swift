/// Names of places that a gathering may be called by.
package struct PlaceNames: Sendable, Equatable {
    /// A place with a name.
    package struct Place: Sendable, Equatable {
        package var coordinate: Coordinate
        package var name: String

        /// Names a place.
        package init(coordinate: Coordinate, name: String) {
            self.coordinate = coordinate
            self.name = name
        }
    }

    private let places: [Place]

    /// Knows these places; by default none.
    package init(_ places: [Place] = []) { self.places = places }

    /// The name of the nearest place within `radius` metres; nil when there is none.
    func name(near coordinate: Coordinate, within radius: Double) -> String? {
        let near = self.places.map { (place: $0, distance: $0.coordinate.distance(to: coordinate)) }
        return near.filter { $0.distance <= radius }.min { $0.distance < $1.distance }?.place.name
    }
}
