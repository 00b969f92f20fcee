// The fast path. Nearly every fix changes only its member's position, and most do not even leave the safe zone in which
// nothing can change (`ProximityField`). This loop applies such fixes, one after the other. It stops before the first
// fix that leaves its member's zone, which `isUnchanged` then examines. It also stops before the first fix that may
// change something else, which takes the slow path. It modifies nothing that decisions depend on until a fix is known
// to be a pure move, so the slow path finds the state unchanged.
//
// The loop is optimised for the processor. For each fix it accesses the member's position and safe zone, in arrays
// whose uniqueness is checked once and not for each fix. For escaped members (`escaped`) it also accesses the stay.

extension ProximityGraph {
    /// The conditions and the progress of the fast path.
    struct FastPath {
        /// The members who may move on the fast path: usable, and at their position in the graph.
        let movers: MemberSet
        /// The machine's own time.
        var instant: Timestamp
        /// The last moment before anything else is due.
        let end: Timestamp
        /// The moment until which all moved members are usable.
        var usableUntil = Timestamp.never
        /// The number of observations applied, from the queue's head on.
        var moved = 0
        /// Whether the next observation is a pure move, although it leaves its member's safe zone.
        var isNextUnchanged = false
        // The number of examined observations that may be pure moves, and of those the number within safe zones; nil
        // before the first look.
        fileprivate var seen: (ready: Int, inZone: Int)?
        // The newest time of positions that were only read to bring them into the cache; stored so that the compiler
        // keeps the reads.
        fileprivate var touched = Timestamp(milliseconds: .min)

        /// Creates the state before the first move.
        init(movers: MemberSet, instant: Timestamp, end: Timestamp) {
            self.movers = movers
            self.instant = instant
            self.end = end
        }
    }

    /// The reason why the fast path stopped.
    enum FastPathStop {
        /// No observation is due.
        case noneDue
        /// The next observation leaves its member's safe zone.
        case leavesZone
        /// The next observation may be more than a move.
        case mayMatter
    }

    /// Applies observations from the queue while they only change positions.
    mutating func moveOnFastPath(
        by queue: borrowing ObservationQueue,
        settings: borrowing GroupSettings,
        _ fastPath: inout FastPath
    ) -> FastPathStop {
        Self.moveOnFastPath(
            &self.places,
            &self.stays,
            of: self.escaped,
            settings: settings,
            zones: self.field.places,
            by: queue.entries,
            in: queue.head..<queue.tail,
            &fastPath
        )
    }

    private static func moveOnFastPath(
        _ positions: inout ContiguousArray<MemberPosition>,
        _ stays: inout ContiguousArray<MemberStay>,
        of escaped: MemberSet,
        settings: borrowing GroupSettings,
        zones: ContiguousArray<SIMD4<Int32>>,
        by entries: ContiguousArray<ObservationQueue.Entry>,
        in range: Range<Int>,
        _ fastPath: inout FastPath
    ) -> FastPathStop {
        var positions = positions.mutableSpan
        let (zones, waiting) = (zones.span, entries.span)
        // Memory is faster in its own order than in that of arrivals. In groups of ten in which all members move, this
        // saves 4 to 11 of 100 ns per member.
        if 2 * range.count > positions.count {
            for slot in positions.indices { fastPath.touched = max(fastPath.touched, positions[slot].at) }
        }
        var due = range.upperBound
        while due > range.lowerBound, waiting[due - 1].due > fastPath.end { due -= 1 }
        guard due > range.lowerBound + fastPath.moved else { return .noneDue }
        // A member whose fix is newer than this is still usable when the last of these observations is due.
        let oldest = max(fastPath.instant, waiting[due - 1].due) - Freshness.liveAge
        let seen = fastPath.seen ?? Self.look(waiting, range.lowerBound..<due, oldest, positions.span, zones, &fastPath)
        fastPath.seen = seen
        var next = range.lowerBound + fastPath.moved
        var stop = seen.ready == due ? FastPathStop.noneDue : .mayMatter
        while next < seen.ready {
            let slot = waiting[next].slot
            let observation = waiting[next].observation
            guard observation.at >= positions[slot].at else {
                stop = .mayMatter
                break
            }
            if next >= seen.inZone, !fastPath.isNextUnchanged,
                !ProximityField.isInZone(slot, ProximityField.Spot(observation.coordinate), places: zones)
            {
                stop = .leavesZone
                break
            }
            // An observation that left its zone was already passed to the stay.
            if !fastPath.isNextUnchanged, escaped.contains(slot) {
                let sample = MemberStay.Sample(observation, at: CoarsePoint(observation.coordinate))
                stays[slot].follow(sample, after: positions[slot], settings: settings)
            }
            fastPath.isNextUnchanged = false
            positions[slot].follow(observation)
            fastPath.usableUntil = min(fastPath.usableUntil, positions[slot].usableUntil)
            next += 1
        }
        if next > range.lowerBound + fastPath.moved { fastPath.instant = max(fastPath.instant, waiting[next - 1].due) }
        fastPath.moved = next - range.lowerBound
        return stop
    }

    /// Finds how many observations may be pure moves, and how many of those stay in safe zones.
    ///
    /// A separate loop fetches positions and zones from memory at the same time, instead of one after the other with
    /// work in between. In a group of ten that halves the time.
    @inline(__always)
    private static func look(
        _ waiting: Span<ObservationQueue.Entry>,
        _ range: Range<Int>,
        _ oldest: Timestamp,
        _ positions: Span<MemberPosition>,
        _ zones: Span<SIMD4<Int32>>,
        _ fastPath: inout FastPath
    ) -> (ready: Int, inZone: Int) {
        var (ready, inZone) = (range.lowerBound, range.lowerBound)
        while ready < range.upperBound, waiting[ready].at >= oldest {
            let slot = waiting[ready].slot
            guard fastPath.movers.contains(slot), waiting[ready].at >= positions[slot].at else { break }
            let spot = ProximityField.Spot(waiting[ready].coordinate)
            if inZone == ready, ProximityField.isInZone(slot, spot, places: zones) { inZone += 1 }
            ready += 1
        }
        return (ready, inZone)
    }

    /// Whether an observation outside its member's safe zone is a pure move; if so, the member gets a new zone.
    mutating func isUnchanged(
        _ entry: ObservationQueue.Entry,
        settings: GroupSettings,
        strayed: MemberSet,
        strayLimit: StrayLimit?
    ) -> Bool {
        let slot = entry.slot
        let observation = entry.observation
        let point = CoarsePoint(observation.coordinate)
        if let limit = strayLimit, limit.isExceeded(at: point) != strayed.contains(slot) { return false }
        let outlook = ProximityField.Outlook(point, accuracy: observation.accuracy)
        guard outlook.isCertain else { return false }
        self.field.use(radius: settings.radius)
        var margin = self.field.margin(of: slot, at: outlook)
        if margin == .obstructed {
            self.clearZones(of: self.field.changed(around: slot, at: outlook))
            margin = self.field.margin(of: slot, at: outlook)
        }
        guard case .upTo(var reach) = margin else { return false }
        if let limit = strayLimit { reach = min(reach, ProximityField.units(metres: limit.distance(from: point))) }
        let sample = MemberStay.Sample(observation, at: point)
        self.stays[slot].follow(sample, after: self.places[slot], settings: settings)
        let stayMargin = ProximityField.units(metres: self.stays[slot].margin(at: point, radius: settings.radius))
        // A moving member leaves one stay after the other. Passing each fix to the stay is less work than comparing the
        // member with all others each time.
        if stayMargin < min(reach, ProximityField.units(metres: settings.radius / 2)) {
            self.escaped.insert(slot)
        } else {
            self.escaped.remove(slot)
            reach = min(reach, stayMargin)
        }
        self.field.place(slot, at: outlook, reach: reach)
        return true
    }
}
