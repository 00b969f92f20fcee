// Rule (README.md, 6): a member's stay lasts while their fixes are within R of the first one. The first of two fixes in
// a row beyond R begins the next stay. The last stay that has ended and took at least max(`dwell`, 60 s) is remembered
// for 10 min. Shorter ones are not: a member who walks away produces one every 75 s.
//
//                   within                   beyond                        beyond
//     (first fix) ──┌────┐                 ┌────────► one beyond ─────────────────────────► the next stay, begun by the
//                   ▼    │                 │              │                                 first of the two
//                   stays ─────────────────┘              │ within
//                     ▲───────────────────────────────────┘
//
// Details:
// - Silence of more than 45 min ends a stay, as it ends a rest: it is unknown where the member was.
// - A stay ends when the next one begins. A member who leaves counts as having stayed until their last fix within it.
// - A stay with only one fix has no known duration. It is not remembered, however late the next fix is.
// - Two fixes are separate if they were taken at least one second apart. A fix delivered twice counts once.
//
// Every member has a stay, so it takes 32 bytes: places in fractions of the full circle (9 mm of latitude), moments in
// seconds.

/// The current stay of a member, and the last long stay before it.
struct MemberStay: Sendable, Equatable {
    /// The least time in milliseconds between two separate fixes.
    static let moment: Int64 = 1000
    /// The time in milliseconds for which a long stay is remembered after its end.
    static let memory: Int64 = 600_000

    /// A stay in unpacked form.
    struct Stay: Sendable, Equatable {
        var place: Coordinate
        var since: Timestamp
        var end: Timestamp?
    }

    private var place: SIMD2<Int32>
    private var pastPlace = SIMD2<Int32>()
    private var began: UInt32
    /// Equal to `pastEnd` if no long stay is known.
    private var pastBegan: UInt32 = 0
    private var pastEnd: UInt32 = 0
    /// Whether the last fix was beyond R, so that another one ends the stay.
    private(set) var isBeyond = false
    /// Whether a second fix was within the stay.
    private(set) var isProven = false

    /// Creates a stay with its first fix.
    init(_ place: Coordinate, at: Timestamp) {
        self.place = Self.packed(place)
        self.began = Self.seconds(at)
    }

    /// Restores the stored stays.
    init(current: Stay, past: Stay?, isBeyond: Bool, isProven: Bool) {
        self.init(current.place, at: current.since)
        if let past, let end = past.end {
            self.pastPlace = Self.packed(past.place)
            self.pastBegan = Self.seconds(past.since)
            self.pastEnd = Self.seconds(end)
        }
        self.isBeyond = isBeyond
        self.isProven = isProven
    }

    /// The current stay.
    var current: Stay { Stay(place: Self.unpacked(self.place), since: Self.moment(self.began)) }

    /// The last long stay that has ended.
    var past: Stay? {
        guard self.pastEnd > self.pastBegan else { return nil }
        return Stay(
            place: Self.unpacked(self.pastPlace),
            since: Self.moment(self.pastBegan),
            end: Self.moment(self.pastEnd)
        )
    }

    /// Updates the stay with a fix; ignores a fix that is delivered again.
    ///
    /// - Parameters:
    ///   - next: the fix.
    ///   - last: the fix before it.
    ///   - settings: the settings of the group.
    mutating func follow(_ next: GatheringObservation, after last: MemberPosition, settings: GroupSettings) {
        if next.at - last.at > Freshness.recentAge {
            self.end(at: last.at, settings: settings)
            self.place = Self.packed(next.coordinate)
            self.began = Self.seconds(next.at)
            self.isBeyond = false
            self.isProven = false
            return
        }
        guard last.isNew(at: next.at) else { return }
        var isBeyond = !Self.unpacked(self.place).isWithin(settings.radius, of: next.coordinate)
        if isBeyond, self.isBeyond {
            self.end(at: last.at, settings: settings)
            self.place = Self.packed(last.coordinate)
            self.began = Self.seconds(last.at)
            self.isProven = false
            isBeyond = !last.coordinate.isWithin(settings.radius, of: next.coordinate)
        }
        self.isBeyond = isBeyond
        if !isBeyond { self.isProven = true }
    }

    /// The seconds that the member had stayed near a place at `instant`.
    func seconds(about place: Coordinate, at instant: Timestamp, settings: GroupSettings) -> Int64 {
        var longest: Int64 = 0
        for stay in [self.current, self.past].compactMap({ $0 }) {
            guard stay.end.map({ instant - $0 <= Self.memory }) ?? true,
                stay.place.distance(to: place) <= 1.5 * settings.radius
            else { continue }
            longest = max(longest, (instant - stay.since) / 1000)
        }
        return longest
    }

    private mutating func end(at end: Timestamp, settings: GroupSettings) {
        let second = Self.seconds(end)
        guard self.isProven, second > self.began, Int64(second - self.began) * 1000 >= settings.stayMilliseconds else {
            return
        }
        self.pastPlace = self.place
        self.pastBegan = self.began
        self.pastEnd = second
    }

    // MARK: Units

    private static let unitsPerDegree = 4_294_967_296.0 / 360

    private static func packed(_ coordinate: Coordinate) -> SIMD2<Int32> {
        SIMD2(
            Int32(truncatingIfNeeded: Int64((coordinate.latitude * Self.unitsPerDegree).rounded())),
            Int32(truncatingIfNeeded: Int64((coordinate.longitude * Self.unitsPerDegree).rounded()))
        )
    }

    private static func unpacked(_ place: SIMD2<Int32>) -> Coordinate {
        Coordinate(
            latitude: Double(place.x) / Self.unitsPerDegree,
            longitude: Double(place.y) / Self.unitsPerDegree
        )
    }

    private static func seconds(_ moment: Timestamp) -> UInt32 { UInt32(clamping: moment.milliseconds / 1000) }
    private static func moment(_ seconds: UInt32) -> Timestamp { Timestamp(milliseconds: Int64(seconds) * 1000) }
}

extension GroupSettings {
    /// The least duration in milliseconds of a long stay.
    var stayMilliseconds: Int64 { max(self.dwellMilliseconds, 60_000) }
}
