import MusterCore

/// Somebody who knows the ways on foot.
protocol WalkRouter: Sendable {
    /// How long the ways between points are.
    ///
    /// - Parameters:
    ///   - points: at most `WalkTable.mostPoints`; the first is where one sets out, and goes out of the process rounded.
    ///   - deadline: in milliseconds of the process's monotonic clock.
    /// - Returns: nil when the router fails or does not answer in time.
    func table(among points: [Coordinate], deadline: Int64) async -> WalkTable?

    /// The ways from each of some points to the next; one fewer than points, nil where there is no way. The first is where one
    /// sets out.
    ///
    /// - Returns: nil when the router fails or does not answer in time.
    func legs(through points: [Coordinate], deadline: Int64) async -> [WalkLeg?]?
}
