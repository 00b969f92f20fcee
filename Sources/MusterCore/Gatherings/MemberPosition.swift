// Each fix reads and writes one of these, and reads those of all other members. So the size is one processor cache line,
// 64 bytes. Coordinates come first, at multiples of their size: a vector load right after partial stores is slow.

/// The position of a member, as gatherings use it.
struct MemberPosition: Sendable {
    /// The radius in metres within which a member has not moved, whatever the scatter of their fixes.
    static let restRadius = 150.0
    /// The time in milliseconds without a move after which a member is settled.
    static let restSpan: Int64 = 300_000

    /// The longest time in milliseconds over which a speed is measured from fixes less than a second apart.
    private static let longestBaseline = 60_000
    /// Half the side of a square inside the rest circle, in degrees.
    private static let restSquare = 0.7 * Self.restRadius / Coordinate.metresPerDegree

    /// The coordinate.
    private(set) var coordinate: Coordinate
    /// The place that the member has not left, beyond the scatter of fixes.
    private(set) var restPlace: Coordinate
    /// The time at which it was taken.
    private(set) var at: Timestamp
    // Encodes the speed, which is rarely read. Either the degrees north and east from here to the position `interval`
    // ago, or the speed in metres per second and NaN.
    private var way: SIMD2<Float>
    // In the precision of phones, which use a Float; negative, −0 included, if the member was stationary.
    private var accuracyInMetres: Float
    // A duration in milliseconds takes half the space of a moment; beyond 49 days its exact value does not matter.
    private var usableFor: UInt32
    // The lowest ten bits are 0 for a separate fix. For a repeated one, they are the milliseconds since the last
    // separate fix, plus one. The other bits are the duration of the rest, as far as it matters.
    private var restedAndRepeated: UInt32
    private var intervalInMilliseconds: UInt32

    /// The accuracy radius in metres.
    var accuracy: Double { Double(abs(self.accuracyInMetres)) }

    /// Whether the member was stationary.
    var isStationary: Bool { self.accuracyInMetres.sign == .minus }

    /// The milliseconds since the previous fix, or over several fixes less than a second apart; 0 if there was none.
    var interval: Int64 { Int64(self.intervalInMilliseconds) }

    /// The moment since which the member has not left `restPlace`.
    var restSince: Timestamp { self.at - Int64(self.restedFor) }

    private var restedFor: UInt32 { self.restedAndRepeated >> 10 }
    private static let longestRest: Int64 = 1 << 22 - 1

    /// The milliseconds since the last separate fix; nil if this fix is a separate one.
    ///
    /// If two apps deliver one fix, one with seconds and one with milliseconds, the times differ by less than a second.
    var repeats: Int64? {
        let repeated = self.restedAndRepeated & 0x3FF
        return repeated == 0 ? nil : Int64(repeated) - 1
    }

    /// Whether a fix taken at `next` is a separate one, and not delivered again.
    @inline(__always)
    func isNew(at next: Timestamp) -> Bool { next - self.at + (self.repeats ?? 0) >= MemberStay.moment }

    /// The moment until which the position is usable.
    var usableUntil: Timestamp { self.at + Int64(self.usableFor) }

    /// The position, prepared for distances.
    var point: LocalPoint { LocalPoint(self.coordinate) }

    /// The moment until which the member counts in S.
    var countsUntil: Timestamp { self.usableUntil + Self.memory }

    /// The time in milliseconds for which a member stays in S after they were usable.
    static let memory: Int64 = 24 * 3_600_000

    /// Whether the member is settled.
    var hasSettled: Bool { Int64(self.restedFor) >= Self.restSpan }

    /// The speed in metres per second since the previous fix; 0 if the fixes show a rest or if there was none.
    var speed: Double {
        if self.way.y.isNaN { return Double(self.way.x) }
        let before = Coordinate(
            latitude: self.coordinate.latitude + Double(self.way.x),
            longitude: self.coordinate.longitude + Double(self.way.y)
        )
        let speed = LocalPoint(before).distance(to: self.point) / (Double(self.interval) / 1000)
        // Rounded to the precision of a restored speed.
        return Double(Float(speed))
    }

    /// Creates a position from a first observation.
    init(first observation: GatheringObservation) {
        self.init(
            at: observation.at,
            coordinate: observation.coordinate,
            accuracy: observation.accuracy,
            isStationary: observation.isStationary,
            speed: 0
        )
    }

    /// Updates the position with the next observation.
    @inline(__always)
    mutating func follow(_ observation: GatheringObservation) {
        let interval = max(observation.at - self.at, 0)
        // Rarely anything but 0: a fix that is delivered twice.
        let repeated = interval >= MemberStay.moment ? 0 : self.repeated(after: interval)
        // After a long silence it is unknown where the member was.
        if interval > Freshness.recentAge || self.isBeyondRest(observation.coordinate) {
            self.restPlace = observation.coordinate
            self.restedAndRepeated = repeated
        } else {
            let rested = min(Int64(self.restedFor) + interval, Self.longestRest)
            self.restedAndRepeated = UInt32(truncatingIfNeeded: rested) << 10 | repeated
        }
        // A ping alone shows no rest: a phone in a car may send one too.
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
        let sinceSample = interval + (self.repeats ?? 0)
        return sinceSample >= MemberStay.moment ? 0 : UInt32(truncatingIfNeeded: sinceSample + 1)
    }

    /// Updates the speed from a fix less than a second after the last one.
    ///
    /// A fix delivered twice says nothing about speed, so the measurement continues.
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

    /// Extends the usability until a moment, unless it already lasts longer.
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

    /// The accuracy credit in metres for a distance to `other`: the sum of both radii, at most half of their R.
    func credit(with other: Self, radius: Double) -> Double { min(self.accuracy + other.accuracy, radius / 2) }

    /// The longest time in seconds for which the movement of an unknown member is credited.
    static let longestDrift = 60.0

    /// The movement credit in metres at `instant`: how far the member with the older fix may have moved until the newer
    /// one.
    func drift(from other: Self, at instant: Timestamp) -> Double {
        let difference = Double(self.at - other.at) / 1000
        let older = difference > 0 ? other : self
        let seconds = abs(difference)
        // A phone that fell silent in a car is not with everyone it may have passed since.
        return older.speed * (older.usableUntil < instant ? min(seconds, Self.longestDrift) : seconds)
    }

    /// The longest time in milliseconds between the fixes of two moving members that are still conclusive.
    static let longestNotification: Int64 = 60_000
    /// The longest time in milliseconds of a speed measurement that does not mix rest and ride.
    static let longestRide: Int64 = 120_000

    /// Whether the positions of two members who are not near are conclusive for their distance at `instant`.
    func isInformative(of other: Self, at instant: Timestamp) -> Bool {
        if self.hasSettled || other.hasSettled || min(self.usableUntil, other.usableUntil) < instant { return true }
        let older = self.at < other.at ? self : other
        return abs(self.at - other.at) <= Self.longestNotification
            && (older.isStationary || older.interval <= Self.longestRide)
    }

    @inline(__always)
    private func isBeyondRest(_ place: Coordinate) -> Bool {
        // A resting member is usually in a square inside the circle, whatever the length of a degree of longitude.
        let north = abs(place.latitude - self.restPlace.latitude)
        let east = abs(place.longitude - self.restPlace.longitude)
        return (north > Self.restSquare || east > Self.restSquare) && Self.areBeyondRest(place, self.restPlace)
    }

    @inline(never)
    private static func areBeyondRest(_ one: Coordinate, _ other: Coordinate) -> Bool {
        LocalPoint(other).distance(to: LocalPoint(one)) > Self.restRadius
    }
}
