/// Where a member is, as far as gatherings use it.
struct MemberPosition: Sendable, Equatable {
    /// Within so many metres of where they were, somebody has not moved, however much their fixes are scattered.
    static let restRadius = 150.0
    /// How long in milliseconds one must have rested to be settled.
    static let restSpan: Int64 = 300_000

    /// When it was taken.
    var at: Timestamp
    /// Where.
    var point: LocalPoint
    /// Its radius in metres.
    var accuracy: Double
    /// Whether the member stayed there.
    var isStationary: Bool
    /// Metres per second from the fix before; 0 when stationary or when there was none.
    var speed: Double
    /// Milliseconds since the fix before; 0 when there was none.
    var interval: Int64
    /// The place that the member has not left, beyond the scatter of fixes.
    var restPoint: LocalPoint
    /// Since when.
    var restSince: Timestamp

    /// Whether the member has not moved for long.
    var hasSettled: Bool { self.at - self.restSince >= Self.restSpan }

    /// Takes an observation, with the position before it.
    init(_ observation: GatheringObservation, after previous: Self?) {
        self.at = observation.at
        self.point = LocalPoint(observation.coordinate)
        self.accuracy = observation.accuracy
        self.isStationary = observation.isStationary
        self.speed = 0
        self.interval = 0
        self.restPoint = self.point
        self.restSince = self.at
        guard let previous else { return }
        self.interval = max(observation.at - previous.at, 0)
        // Nobody knows what happened in a long silence.
        if self.interval <= Freshness.recentAge, previous.restPoint.distance(to: self.point) <= Self.restRadius {
            self.restPoint = previous.restPoint
            self.restSince = previous.restSince
        }
        guard !observation.isStationary else { return }
        let seconds = Double(self.interval) / 1000
        self.speed = seconds > 0 ? previous.point.distance(to: self.point) / seconds : previous.speed
    }

    /// Restores a stored position.
    init(
        at: Timestamp,
        coordinate: Coordinate,
        accuracy: Double,
        isStationary: Bool,
        speed: Double,
        interval: Int64 = 0,
        rest: (coordinate: Coordinate, since: Timestamp)? = nil
    ) {
        self.at = at
        self.point = LocalPoint(coordinate)
        self.accuracy = accuracy
        self.isStationary = isStationary
        self.speed = speed
        self.interval = interval
        self.restPoint = rest.map { LocalPoint($0.coordinate) } ?? self.point
        self.restSince = rest?.since ?? at
    }

    /// Metres that accuracy may explain of a distance to `other`: the sum of both radii, at most R/2.
    func credit(with other: Self, radius: Double) -> Double { min(self.accuracy + other.accuracy, radius / 2) }

    /// Metres that movement may explain: how far the one whose fix is older may have come until the other's.
    func drift(from other: Self) -> Double {
        let difference = Double(self.at - other.at) / 1000
        return difference > 0 ? other.speed * difference : self.speed * -difference
    }

    /// Whether a fix is missing that the member's habit made one expect by `instant`.
    func isOverdue(at instant: Timestamp) -> Bool { self.interval == 0 || instant - self.at > 2 * self.interval }
}
