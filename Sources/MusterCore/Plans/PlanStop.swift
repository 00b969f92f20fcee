/// A candidate place of a plan.
package struct PlanStop: Sendable, Equatable {
    /// The place's id; one place may be a stop for several categories.
    package var place: String
    /// The position.
    package var coordinate: Coordinate
    /// The popularity, 0…1: see `PlaceFame`.
    package var fame: Double
    /// The opening hours; nil when unknown.
    package var hours: OpeningHours?

    /// Creates a stop.
    package init(place: String, coordinate: Coordinate, fame: Double, hours: OpeningHours? = nil) {
        self.place = place
        self.coordinate = coordinate
        self.fame = fame
        self.hours = hours
    }
}
