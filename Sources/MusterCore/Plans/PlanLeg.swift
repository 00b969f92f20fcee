/// A leg of a plan, on foot, to one of its stops.
package struct PlanLeg: Sendable, Equatable, Codable {
    /// The length in metres.
    package var distance: Double
    /// The duration in seconds.
    package var duration: Double
    /// The geometry as a polyline with five decimals; nil when unknown.
    package var geometry: String?
    /// Whether it was routed on streets and not estimated.
    package var isRouted: Bool

    /// Creates a leg.
    package init(distance: Double, duration: Double, geometry: String? = nil, isRouted: Bool) {
        self.distance = distance
        self.duration = duration
        self.geometry = geometry
        self.isRouted = isRouted
    }

    /// Creates an estimated leg.
    package init(from start: Coordinate, to end: Coordinate) {
        self.init(
            distance: WalkEstimate.metres(from: start, to: end),
            duration: WalkEstimate.seconds(from: start, to: end),
            isRouted: false
        )
    }
}
