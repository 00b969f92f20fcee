import MusterCore

/// A router for walking routes.
protocol WalkRouter: Sendable {
    /// The durations and distances between points.
    ///
    /// - Parameters:
    ///   - points: at most `WalkTable.mostPoints`; the first is the start, which is rounded outside of the process.
    ///   - deadline: in milliseconds of the process's monotonic clock.
    /// - Returns: nil when the router fails or does not answer in time.
    func table(among points: [Coordinate], deadline: Int64) async -> WalkTable?

    /// The legs between consecutive points, one fewer than points; nil where there is no route. The first point is the
    /// start.
    ///
    /// - Returns: nil when the router fails or does not answer in time.
    func legs(through points: [Coordinate], deadline: Int64) async -> [WalkLeg?]?
}
