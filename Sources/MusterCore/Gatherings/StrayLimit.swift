/// The distance from the announced place that at least half of the members must exceed for the median to be elsewhere.
struct StrayLimit: Sendable {
    /// The announced place of the gathering.
    let place: Coordinate
    private let metres: Double
    private let limit: CoarsePoint.Limit

    /// Prepares the limit around a place.
    init(around place: Coordinate, settings: GroupSettings) {
        // A median is farther away than d only if half of the members are farther than d/√2 to the same side.
        self.place = place
        self.metres = settings.awayDistance / 2.0.squareRoot()
        self.limit = CoarsePoint.Limit(metres: self.metres)
    }

    /// A lower bound of the distance in metres from a point to the limit.
    func distance(from point: CoarsePoint) -> Double {
        let distance = point.distance(to: self.place)
        // The error of a coarse distance is a fraction of the distance, however near the limit it is.
        return max(0, abs(distance - self.metres) - 2 * CoarsePoint.margin * max(distance, self.metres))
    }

    /// Whether a member at a point is beyond the limit.
    @inline(__always)
    func isExceeded(at point: CoarsePoint) -> Bool {
        switch point.compare(to: self.place, limit: self.limit) {
        case .within: false
        case .beyond: true
        case .unsure: LocalPoint(point.coordinate).distance(to: LocalPoint(self.place)) > self.metres
        }
    }
}
