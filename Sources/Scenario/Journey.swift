/// A point of a plane, in metres east and north of its centre.
struct PlanePoint: Equatable {
    var east: Double
    var north: Double

    /// The distance to another point, in metres.
    func distance(to other: Self) -> Double {
        let (east, north) = (other.east - self.east, other.north - self.north)
        return (east * east + north * north).squareRoot()
    }

    /// The point at a fraction of the way towards another point.
    func moved(towards other: Self, by share: Double) -> Self {
        Self(
            east: self.east + (other.east - self.east) * share,
            north: self.north + (other.north - self.north) * share
        )
    }
}

/// The true positions of a person during a day: stays, and straight legs between them.
struct Journey {
    /// A leg between two places, with times in seconds of the day.
    struct Leg {
        let begin: Double
        let end: Double
        let from: PlanePoint
        let to: PlanePoint
    }

    /// The legs, in order of time.
    private(set) var legs: [Leg] = []
    private let home: PlanePoint

    /// Creates a day that begins at home.
    init(home: PlanePoint) { self.home = home }

    /// The position after the last leg so far.
    var place: PlanePoint { self.legs.last?.to ?? self.home }
    /// The end of the last leg so far.
    var end: Double { self.legs.last?.end ?? 0 }

    /// Adds a leg to a place, with a speed in metres per second, from `begin` on; returns the arrival time.
    @discardableResult
    mutating func go(to place: PlanePoint, at begin: Double, speed: Double) -> Double {
        let begin = max(begin, self.end)
        let end = begin + max(1, self.place.distance(to: place) / speed)
        self.legs.append(Leg(begin: begin, end: end, from: self.place, to: place))
        return end
    }

    /// Adds a leg to a place that ends at `end`.
    mutating func arrive(at place: PlanePoint, by end: Double, speed: Double) {
        self.go(to: place, at: end - max(1, self.place.distance(to: place) / speed), speed: speed)
    }

    /// Removes the legs after the arrival at a place, if that leg begins at `moment` or later.
    mutating func stay(from moment: Double, beyond place: PlanePoint) {
        guard let index = self.legs.firstIndex(where: { $0.begin >= moment && $0.to == place }) else { return }
        self.legs.removeSubrange((index + 1)...)
    }

    /// The position at a second of the day.
    func position(at time: Double) -> PlanePoint {
        guard let leg = self.legs.last(where: { $0.begin <= time }) else { return self.home }
        return leg.from.moved(towards: leg.to, by: min(1, (time - leg.begin) / (leg.end - leg.begin)))
    }

    /// Whether the person is moving.
    func isMoving(at time: Double) -> Bool { self.legs.contains { $0.begin...$0.end ~= time } }

    /// The end of the last leg, or a time before the day.
    func throttledSince(_ time: Double) -> Double { self.legs.last { $0.end <= time }?.end ?? -3_600 }

    /// The start of the next leg; nil when there is none.
    func nextDeparture(after time: Double) -> Double? { self.legs.first { $0.begin > time }?.begin }
}
