/// A spot, and how far it is from where somebody looks for spots.
package struct NearbySpot: Sendable, Equatable {
    package var spot: Spot
    /// Metres along the great circle.
    package var distance: Double

    /// Pairs a spot with its distance.
    package init(spot: Spot, distance: Double) {
        self.spot = spot
        self.distance = distance
    }
}
