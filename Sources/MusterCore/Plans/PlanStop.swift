/// A place that a plan may lead to.
package struct PlanStop: Sendable, Equatable {
    /// The place's id; one place may be a stop for several categories.
    package var place: String
    /// Where it is.
    package var coordinate: Coordinate
    /// What people think of it, 0…1: see `PlaceFame`.
    package var fame: Double
    /// When it is open; nil when nobody knows.
    package var hours: OpeningHours?

    /// Describes a place.
    package init(place: String, coordinate: Coordinate, fame: Double, hours: OpeningHours? = nil) {
        self.place = place
        self.coordinate = coordinate
        self.fame = fame
        self.hours = hours
    }
}
