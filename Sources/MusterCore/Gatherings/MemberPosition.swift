// One of these is read and written for each fix, and most of a tick's time is the way of memory to them: they are as long as a
// line of the processor's caches, 64 bytes. Coordinates come first, at multiples of their size, because what was just written
// in parts is slow to be read as a whole.

/// Where a member is, as far as gatherings use it.
struct MemberPosition: Sendable {
    /// Within so many metres of where they were, somebody has not moved, however much their fixes are scattered.
    static let restRadius = 150.0
    /// How long in milliseconds one must have rested to be settled.
    static let restSpan: Int64 = 300_000

    private static let restLimit = RoughPoint.Limit(metres: Self.restRadius)
    /// How long in milliseconds a speed may be measured over readings that are less than a second apart.
    private static let longestBaseline = 60_000
    /// Half the side of a square in the circle of rest, in degrees.
    private static let restSquare = 0.7 * Self.restRadius / Coordinate.metresPerDegree

    /// Where.
    private(set) var coordinate: Coordinate
    /// The place that the member has not left, beyond the scatter of fixes.
    private(set) var restPlace: Coordinate
    /// When it was taken.
    private(set) var at: Timestamp
    // What tells how fast a member is, which few ask: the degrees north and east from here to where they were `interval` ago;
    // or metres per second, and not a number.
    private var way: SIMD2<Float>
    // As large as phones give it, who have it as a Float; below zero, −0 included, for one who stayed where they were.
    private var accuracyInMetres: Float
    // Durations in milliseconds take half of what moments take; after 49 days it does not matter how long it was.
    private var usableFor: UInt32
    // In the lowest ten bits 0 when the fix is a reading of its own, or else how many milliseconds after the last one it was taken,
    // and one more; in the others for how long the member has rested, as far as it matters.
    private var restedAndRepeated: UInt32
    private var intervalInMilliseconds: UInt32

    /// Its radius in metres.
    var accuracy: Double { Double(abs(self.accuracyInMetres)) }

    /// Whether the member stayed there.
    var isStationary: Bool { self.accuracyInMetres.sign == .minus }

    /// Milliseconds since the fix before; of readings less than a second apart, over several; 0 when there was none.
    var interval: Int64 { Int64(self.intervalInMilliseconds) }

    /// Since when the member has not left the place.
    var restSince: Timestamp { self.at - Int64(self.restedFor) }

    private var restedFor: UInt32 { self.restedAndRepeated >> 10 }
    private static let longestRest: Int64 = 1 << 22 - 1

    /// How many milliseconds after the last reading of its own this one was taken; nil when it is one itself.
    ///
    /// What two apps deliver of one reading, one in seconds and one in milliseconds, is less than a second apart.
    var repeats: Int64? {
        let repeated = self.restedAndRepeated & 0x3FF
        return repeated == 0 ? nil : Int64(repeated) - 1
    }

    /// Whether a fix that is taken next is a reading of its own, and not one that is delivered twice.
    @inline(__always)
    func isNew(at next: Timestamp) -> Bool { next - self.at + (self.repeats ?? 0) >= MemberStay.moment }

    /// Until when it is usable.
    var usableUntil: Timestamp { self.at + Int64(self.usableFor) }

    /// Where, prepared for distances.
    var point: LocalPoint { LocalPoint(self.coordinate) }

    /// Where, prepared for the field.
    var outlook: ProximityField.Outlook {
        ProximityField.Outlook(RoughPoint(self.coordinate), accuracy: self.accuracy)
    }

    /// Until when the member counts in S.
    var countsUntil: Timestamp { self.usableUntil + Self.memory }

    /// How long in milliseconds one who was usable still counts as taking part.
    static let memory: Int64 = 24 * 3_600_000

    /// Whether the member has not moved for long.
    var hasSettled: Bool { Int64(self.restedFor) >= Self.restSpan }

    /// Metres per second from the fix before; 0 when the fixes show a rest or when there was none.
    var speed: Double {
        if self.way.y.isNaN { return Double(self.way.x) }
        let before = Coordinate(
            latitude: self.coordinate.latitude + Double(self.way.x),
            longitude: self.coordinate.longitude + Double(self.way.y)
        )
        let speed = LocalPoint(before).distance(to: self.point) / (Double(self.interval) / 1000)
        // As exact as one that is restored.
        return Double(Float(speed))
    }

    /// Takes an observation for which there is nothing before.
    init(first observation: GatheringObservation) {
        self.init(
            at: observation.at,
            coordinate: observation.coordinate,
            accuracy: observation.accuracy,
            isStationary: observation.isStationary,
            speed: 0
        )
    }

    /// Takes the next observation.
    @inline(__always)
    mutating func follow(_ observation: GatheringObservation) {
        let interval = max(observation.at - self.at, 0)
        // Seldom: a reading that is delivered twice.
        let repeated = interval >= MemberStay.moment ? 0 : self.repeated(after: interval)
        // Nobody knows what happened in a long silence.
        if interval > Freshness.recentAge || self.isBeyondRest(observation.coordinate) {
            self.restPlace = observation.coordinate
            self.restedAndRepeated = repeated
        } else {
            let rested = min(Int64(self.restedFor) + interval, Self.longestRest)
            self.restedAndRepeated = UInt32(truncatingIfNeeded: rested) << 10 | repeated
        }
        // A ping alone shows no rest: it is what a phone in a car may send too.
        if observation.isStationary, self.hasSettled {
            self.way = SIMD2(0, .nan)
            self.intervalInMilliseconds = UInt32(clamping: interval)
        } else if interval >= MemberStay.moment {
            self.way = self.way(to: observation)
            self.intervalInMilliseconds = UInt32(clamping: interval)
        } else {
            self.followClosely(observation, after: interval)
        }
        self.at = observation.at
        self.coordinate = observation.coordinate
        let accuracy = Float(observation.accuracy)
        self.accuracyInMetres = observation.isStationary ? -accuracy : accuracy
        self.usableFor = UInt32(truncatingIfNeeded: Freshness.usableAge(isStationary: observation.isStationary))
    }

    @inline(__always)
    private func way(to next: GatheringObservation) -> SIMD2<Float> {
        SIMD2(
            Float(self.coordinate.latitude - next.coordinate.latitude),
            Float(self.coordinate.longitude - next.coordinate.longitude)
        )
    }

    @inline(never)
    private func repeated(after interval: Int64) -> UInt32 {
        let sinceReading = interval + (self.repeats ?? 0)
        return sinceReading >= MemberStay.moment ? 0 : UInt32(truncatingIfNeeded: sinceReading + 1)
    }

    /// One reading delivered twice says nothing of how fast somebody is: their way goes on.
    @inline(never)
    private mutating func followClosely(_ observation: GatheringObservation, after interval: Int64) {
        guard interval > 0 else {
            self.way = SIMD2(Float(self.speed), .nan)
            self.intervalInMilliseconds = 0
            return
        }
        if !self.way.y.isNaN, self.intervalInMilliseconds < Self.longestBaseline {
            self.way += self.way(to: observation)
            self.intervalInMilliseconds += UInt32(truncatingIfNeeded: interval)
        } else {
            self.way = self.way(to: observation)
            self.intervalInMilliseconds = UInt32(truncatingIfNeeded: interval)
        }
    }

    /// Lets the position be usable until a moment, if it is not for longer.
    mutating func extendUsability(until: Timestamp) {
        self.usableFor = max(self.usableFor, UInt32(clamping: until - self.at))
    }

    /// Restores a stored position.
    init(
        at: Timestamp,
        coordinate: Coordinate,
        accuracy: Double,
        isStationary: Bool,
        speed: Double,
        interval: Int64 = 0,
        rest: (coordinate: Coordinate, since: Timestamp)? = nil,
        usableUntil: Timestamp? = nil,
        repeats: Int64? = nil
    ) {
        self.at = at
        self.coordinate = coordinate
        self.accuracyInMetres = isStationary ? -Float(accuracy) : Float(accuracy)
        self.usableFor = UInt32(
            clamping: usableUntil.map { $0 - at } ?? Freshness.usableAge(isStationary: isStationary)
        )
        self.intervalInMilliseconds = UInt32(clamping: interval)
        self.restPlace = rest?.coordinate ?? coordinate
        let rested = min(max(rest.map { at - $0.since } ?? 0, 0), Self.longestRest)
        let repeated = repeats.map { UInt32(clamping: min($0, MemberStay.moment) + 1) } ?? 0
        self.restedAndRepeated = UInt32(rested) << 10 | repeated
        self.way = SIMD2(Float(speed), .nan)
    }

    /// Metres that accuracy may explain of a distance to `other`: the sum of both radii, at most half of their R.
    func credit(with other: Self, radius: Double) -> Double { min(self.accuracy + other.accuracy, radius / 2) }

    /// For how many seconds the movement of somebody of whom nothing is known any more may explain a distance.
    static let longestDrift = 60.0

    /// Metres that movement may explain at `instant`: how far the one whose fix is older may have come until the other's.
    func drift(from other: Self, at instant: Timestamp) -> Double {
        let difference = Double(self.at - other.at) / 1000
        let older = difference > 0 ? other : self
        let seconds = abs(difference)
        // A phone that fell silent in a car is not with everybody it may have passed since.
        return older.speed * (older.usableUntil < instant ? min(seconds, Self.longestDrift) : seconds)
    }

    /// For how many milliseconds it is known well enough how far one on the move has come.
    static let longestTelling: Int64 = 60_000
    /// Over how many milliseconds a speed is measured at most that is not the mean over rest and ride.
    static let longestRide: Int64 = 120_000

    /// Whether the positions of two who are not near say at `instant` how far they are from each other.
    func tells(of other: Self, at instant: Timestamp) -> Bool {
        if self.hasSettled || other.hasSettled || min(self.usableUntil, other.usableUntil) < instant { return true }
        let older = self.at < other.at ? self : other
        return abs(self.at - other.at) <= Self.longestTelling
            && (older.isStationary || older.interval <= Self.longestRide)
    }

    @inline(__always)
    private func isBeyondRest(_ place: Coordinate) -> Bool {
        // Whoever rests is in a square that is within the circle, however short a degree of longitude is.
        let north = abs(place.latitude - self.restPlace.latitude)
        let east = abs(place.longitude - self.restPlace.longitude)
        return (north > Self.restSquare || east > Self.restSquare) && Self.areBeyondRest(place, self.restPlace)
    }

    @inline(never)
    private static func areBeyondRest(_ one: Coordinate, _ other: Coordinate) -> Bool {
        switch RoughPoint(one).compare(to: other, limit: Self.restLimit) {
        case .within: false
        case .beyond: true
        case .unsure: LocalPoint(other).distance(to: LocalPoint(one)) > Self.restRadius
        }
    }
}
