/// Where a member is, as far as gatherings use it.
struct MemberPosition: Sendable, Equatable {
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

    /// Takes an observation, with the position before it.
    init(_ observation: GatheringObservation, after previous: Self?) {
        self.at = observation.at
        self.point = LocalPoint(observation.coordinate)
        self.accuracy = observation.accuracy
        self.isStationary = observation.isStationary
        self.speed = 0
        guard !observation.isStationary, let previous else { return }
        let seconds = Double(observation.at - previous.at) / 1000
        self.speed = seconds > 0 ? previous.point.distance(to: self.point) / seconds : previous.speed
    }

    /// Restores a stored position.
    init(at: Timestamp, coordinate: Coordinate, accuracy: Double, isStationary: Bool, speed: Double) {
        self.at = at
        self.point = LocalPoint(coordinate)
        self.accuracy = accuracy
        self.isStationary = isStationary
        self.speed = speed
    }

    /// Metres that accuracy may explain of a distance to `other`: the sum of both radii, at most R/2.
    func credit(with other: Self, radius: Double) -> Double { min(self.accuracy + other.accuracy, radius / 2) }

    /// Metres that movement may explain: how far the one whose fix is older may have come until the other's.
    func drift(from other: Self) -> Double {
        let difference = Double(self.at - other.at) / 1000
        return difference > 0 ? other.speed * difference : self.speed * -difference
    }
}
