// Rule (README.md, 6): a member's stay lasts while their fixes are within R of the one with which it began; the first of two in a
// row beyond begins the next. Of those that are over, the last one that took max(`dwell`, 60 s) is remembered for 10 min, not of
// less: whoever walks away makes a short one every 75 s.
//
//                   within                   beyond                        beyond
//     (first fix) ──┌────┐                 ┌────────► one beyond ─────────────────────────► the next stay, begun by the
//                   ▼    │                 │              │                                 first of the two
//                   stays ─────────────────┘              │ within
//                     ▲───────────────────────────────────┘
//
// Readings:
// - Of a silence of more than 45 min nobody knows where it was spent: it ends a stay, as it ends a rest.
// - A stay ends when the next begins. Whoever went away counts as having stayed until then, since they were still there when
//   they were last heard of.
// - Where only one fix was taken nobody knows how long somebody was there: such a stay is not remembered, however much later
//   the next fix came.
// - Two readings are two when they were taken a second apart: one that is delivered twice proves nothing twice.
//
// Every member has one, so it takes 32 bytes: places in parts of the full circle (9 mm of latitude), moments in seconds.
//
// Invariant: while a member is in their yard (`ProximityField`) and no rover (`ProximityGraph.rovers`), every fix is within R,
// and there is nothing to note; nobody but rovers has a yard before a second fix.

/// Where a member stays, and where they stayed last for long.
struct MemberStay: Sendable, Equatable {
    /// How far apart in milliseconds two readings must have been taken to be two.
    static let moment: Int64 = 1000
    /// How many milliseconds after its end a long stay still says where somebody was.
    static let memory: Int64 = 600_000

    /// A stay for people to read.
    struct Stay: Sendable, Equatable {
        var place: Coordinate
        var since: Timestamp
        var end: Timestamp?
    }

    private var place: SIMD2<Int32>
    private var pastPlace = SIMD2<Int32>()
    private var began: UInt32
    /// Equal when no long stay is known.
    private var pastBegan: UInt32 = 0
    private var pastEnd: UInt32 = 0
    /// Whether the last fix was beyond, so that another one ends the stay.
    private(set) var isBeyond = false
    /// Whether a second fix was within it.
    private(set) var isProven = false

    /// Begins with a fix.
    init(_ place: Coordinate, at: Timestamp) {
        self.place = Self.packed(place)
        self.began = Self.seconds(at)
    }

    /// Restores what was stored.
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

    /// The stay that lasts.
    var current: Stay { Stay(place: Self.unpacked(self.place), since: Self.moment(self.began)) }

    /// The last one that took long, and is over.
    var past: Stay? {
        guard self.pastEnd > self.pastBegan else { return nil }
        return Stay(
            place: Self.unpacked(self.pastPlace),
            since: Self.moment(self.pastBegan),
            end: Self.moment(self.pastEnd)
        )
    }

    /// Takes a fix in, unless it is a reading that is delivered again.
    ///
    /// - Parameters:
    ///   - next: the fix.
    ///   - last: the one before it.
    ///   - settings: the numbers of the group.
    mutating func follow(_ next: Reading, after last: MemberPosition, settings: GroupSettings) {
        if next.at - last.at > Freshness.recentAge {
            self.end(at: last.at, settings: settings)
            self.place = Self.packed(next.point.coordinate)
            self.began = Self.seconds(next.at)
            self.isBeyond = false
            self.isProven = false
            return
        }
        guard last.isNew(at: next.at) else { return }
        var isBeyond = Self.isBeyond(next.point, settings.radius, of: Self.unpacked(self.place))
        if isBeyond, self.isBeyond {
            self.end(at: last.at, settings: settings)
            self.place = Self.packed(last.coordinate)
            self.began = Self.seconds(last.at)
            self.isProven = false
            isBeyond = Self.isBeyond(next.point, settings.radius, of: last.coordinate)
        }
        self.isBeyond = isBeyond
        if !isBeyond { self.isProven = true }
    }

    /// What is asked of a fix.
    struct Reading {
        let point: RoughPoint
        let at: Timestamp
    }

    /// How far from a point a member may go without there being anything to note, in metres; rather less.
    func room(at point: RoughPoint, radius: Double) -> Double {
        guard self.isProven, !self.isBeyond else { return 0 }
        return radius * (1 - 2 * RoughPoint.margin) - point.distance(to: Self.unpacked(self.place))
    }

    /// For how many seconds somebody had stayed about a place, when it was `instant`.
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

    private static func isBeyond(_ point: RoughPoint, _ limit: Double, of place: Coordinate) -> Bool {
        let distance = point.distance(to: place)
        return distance.isNaN ? !place.isWithin(limit, of: point.coordinate) : distance > limit
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
    /// How long in milliseconds a stay must take for somebody to be left behind there.
    var stayMilliseconds: Int64 { max(self.dwellMilliseconds, 60_000) }
}

extension MemberStay.Reading {
    /// Reads an observation, whose place is prepared.
    init(_ observation: GatheringObservation, at point: RoughPoint) {
        self.init(point: point, at: observation.at)
    }
}
