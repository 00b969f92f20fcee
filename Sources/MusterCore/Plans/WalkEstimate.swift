/// Estimates of walking distance and time, used until a route is known.
package enum WalkEstimate {
    /// The ratio of the street distance to the great-circle distance.
    private static let detour = 1.3
    /// The walking speed in metres per second.
    private static let speed = 1.35

    /// The walking distance between two places in metres.
    package static func metres(from start: Coordinate, to end: Coordinate) -> Double {
        Self.detour * start.distance(to: end)
    }

    /// The walking time between two places in seconds.
    package static func seconds(from start: Coordinate, to end: Coordinate) -> Double {
        Self.metres(from: start, to: end) / Self.speed
    }
}
