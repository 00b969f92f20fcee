/// How long a way on foot takes, as long as nobody has looked for streets.
package enum WalkEstimate {
    /// How much longer streets are than the great circle.
    private static let detour = 1.3
    /// Metres a second of somebody who walks.
    private static let speed = 1.35

    /// Metres to walk from one place to another.
    package static func metres(from start: Coordinate, to end: Coordinate) -> Double {
        Self.detour * start.distance(to: end)
    }

    /// Seconds to walk from one place to another.
    package static func seconds(from start: Coordinate, to end: Coordinate) -> Double {
        Self.metres(from: start, to: end) / Self.speed
    }
}
