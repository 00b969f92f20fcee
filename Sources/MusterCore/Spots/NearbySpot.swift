/// A spot with its distance from the point of a search.
package struct NearbySpot: Sendable, Equatable {
    package var spot: Spot
    /// The great-circle distance in metres.
    package var distance: Double

    /// Creates a spot with its distance.
    package init(spot: Spot, distance: Double) {
        self.spot = spot
        self.distance = distance
    }
}
