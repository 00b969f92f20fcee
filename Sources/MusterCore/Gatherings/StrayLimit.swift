/// How far from where a gathering is said to be a member must be for its median to be elsewhere.
struct StrayLimit: Sendable {
    /// Where the gathering is said to be.
    let place: Coordinate
    private let metres: Double
    private let limit: RoughPoint.Limit

    /// Prepares a place.
    init(around place: Coordinate, settings: GroupSettings) {
        // A median is further away than d only if half of the members are further than d/√2 to the same side.
        self.place = place
        self.metres = settings.awayDistance / 2.0.squareRoot()
        self.limit = RoughPoint.Limit(metres: self.metres)
    }

    /// Metres from a point to the nearest one of which the other thing holds; rather less.
    func distance(from point: RoughPoint) -> Double {
        let distance = point.distance(to: self.place)
        // What a rough distance is wrong by is a share of the distance, however near the limit it is.
        return max(0, abs(distance - self.metres) - 2 * RoughPoint.margin * max(distance, self.metres))
    }

    /// Whether a member at a point is so far.
    @inline(__always)
    func isExceeded(at point: RoughPoint) -> Bool {
        switch point.compare(to: self.place, limit: self.limit) {
        case .within: false
        case .beyond: true
        case .unsure: LocalPoint(point.coordinate).distance(to: LocalPoint(self.place)) > self.metres
        }
    }
}
