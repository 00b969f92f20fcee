/// The distance from the announced place that at least half of the members must exceed for the median to be elsewhere.
struct StrayLimit: Sendable {
    /// The announced place of the gathering.
    let place: Coordinate
    private let metres: Double
    private let point: LocalPoint

    /// Prepares the limit around a place.
    init(around place: Coordinate, settings: GroupSettings) {
        // A median is farther away than d only if half of the members are farther than d/√2 to the same side.
        self.place = place
        self.metres = settings.awayDistance / 2.0.squareRoot()
        self.point = LocalPoint(place)
    }

    /// Whether a member at a place is beyond the limit.
    func isExceeded(at place: Coordinate) -> Bool { LocalPoint(place).distance(to: self.point) > self.metres }
}
