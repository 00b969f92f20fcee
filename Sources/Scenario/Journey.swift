/// A point of a flat world, in metres east and north of its centre.
struct PlanePoint: Equatable {
    var east: Double
    var north: Double

    /// Metres to another point.
    func distance(to other: Self) -> Double {
        let (east, north) = (other.east - self.east, other.north - self.north)
        return (east * east + north * north).squareRoot()
    }

    /// The point that lies `share` of the way towards another.
    func moved(towards other: Self, by share: Double) -> Self {
        Self(
            east: self.east + (other.east - self.east) * share,
            north: self.north + (other.north - self.north) * share
        )
    }
}

/// Where a person truly is throughout a day: stays, and straight ways between them.
struct Journey {
    /// A way from one place to the next, in seconds of the day.
    struct Leg {
        let begin: Double
        let end: Double
        let from: PlanePoint
        let to: PlanePoint
    }

    /// The ways, by time.
    package private(set) var legs: [Leg] = []
    private let home: PlanePoint

    /// Begins a day at home.
    init(home: PlanePoint) { self.home = home }

    /// Where the person is after the last way so far.
    var place: PlanePoint { self.legs.last?.to ?? self.home }
    /// When the last way so far ends.
    var end: Double { self.legs.last?.end ?? 0 }

    /// Goes on to a place at so many metres a second, setting out at `begin`; returns the arrival.
    @discardableResult
    mutating func go(to place: PlanePoint, at begin: Double, speed: Double) -> Double {
        let begin = max(begin, self.end)
        let end = begin + max(1, self.place.distance(to: place) / speed)
        self.legs.append(Leg(begin: begin, end: end, from: self.place, to: place))
        return end
    }

    /// Goes on to a place so as to arrive at `end`.
    mutating func arrive(at place: PlanePoint, by end: Double, speed: Double) {
        self.go(to: place, at: end - max(1, self.place.distance(to: place) / speed), speed: speed)
    }

    /// Goes no further than a place that is reached after a moment.
    mutating func stay(from moment: Double, beyond place: PlanePoint) {
        guard let index = self.legs.firstIndex(where: { $0.begin >= moment && $0.to == place }) else { return }
        self.legs.removeSubrange((index + 1)...)
    }

    /// Where the person is at a second of the day.
    func position(at time: Double) -> PlanePoint {
        guard let leg = self.legs.last(where: { $0.begin <= time }) else { return self.home }
        return leg.from.moved(towards: leg.to, by: min(1, (time - leg.begin) / (leg.end - leg.begin)))
    }

    /// Whether the person is on the way.
    func isMoving(at time: Double) -> Bool { self.legs.contains { $0.begin...$0.end ~= time } }

    /// When the person last came to rest, or the day began.
    func restingSince(_ time: Double) -> Double { self.legs.last { $0.end <= time }?.end ?? -3_600 }

    /// When the person next sets out; nil when not today.
    func nextDeparture(after time: Double) -> Double? { self.legs.first { $0.begin > time }?.begin }
}
