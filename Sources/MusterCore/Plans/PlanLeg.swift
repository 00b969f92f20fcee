/// A way on foot to a stop of a plan.
package struct PlanLeg: Sendable, Equatable, Codable {
    /// Metres.
    package var distance: Double
    /// Seconds.
    package var duration: Double
    /// Its course as a polyline with five decimals; nil when nobody knows.
    package var geometry: String?
    /// Whether it was found on streets, and not estimated.
    package var isRouted: Bool

    /// Describes a way.
    package init(distance: Double, duration: Double, geometry: String? = nil, isRouted: Bool) {
        self.distance = distance
        self.duration = duration
        self.geometry = geometry
        self.isRouted = isRouted
    }

    /// Estimates a way.
    package init(from start: Coordinate, to end: Coordinate) {
        self.init(
            distance: WalkEstimate.metres(from: start, to: end),
            duration: WalkEstimate.seconds(from: start, to: end),
            isRouted: false
        )
    }
}
