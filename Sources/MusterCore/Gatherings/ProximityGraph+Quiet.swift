// Nearly every fix changes where somebody is, and nothing else; most of them do not even leave the yard in which nothing can
// change (`ProximityField`). This loop takes in such fixes, one after the other. It stops before the first one that leaves its
// member's yard, of which `isCalm` can tell more, and before the first one of which anything might come; that one goes the long
// way. It changes nothing that is decided by until it is certain that nothing comes of a fix, so that the long way finds
// everything as it was.
//
// It is written for the processor: for each fix it touches the member's position and their yard, in arrays that are checked to
// be ours alone once and not for each fix. Of rovers it touches the stay too.

extension ProximityGraph {
    /// What must hold for a move to be a move and nothing else, and how far such moves have come.
    struct Quiet {
        /// Who may move so: those usable, whom the graph has where they are.
        let movers: MemberSet
        /// The machine's own time.
        var instant: Timestamp
        /// Until when nothing else is due.
        let end: Timestamp
        /// Until when all who moved are usable.
        var usableUntil = Timestamp.never
        /// How many observations from the queue's head on were taken in.
        var moved = 0
        /// Whether nothing comes of the next one, though it leaves its member's yard.
        var isNextCalm = false
        // How many were looked at and may be moves, and how many of those stay in yards: nil before any was.
        fileprivate var seen: (ready: Int, inYard: Int)?
        // The newest position that was read only to have them all at hand; noted, for else the compiler leaves that out.
        fileprivate var touched = Timestamp(milliseconds: .min)

        /// Begins with no move.
        init(movers: MemberSet, instant: Timestamp, end: Timestamp) {
            self.movers = movers
            self.instant = instant
            self.end = end
        }
    }

    /// Why observations are not taken in any more.
    enum QuietStop {
        /// None is due.
        case noneDue
        /// The next one leaves its member's yard.
        case leavesYard
        /// The next one may be more than a move.
        case mayMatter
    }

    /// Takes in observations from the queue for as long as they change where members are, and nothing else.
    mutating func moveQuietly(
        by queue: borrowing ObservationQueue,
        settings: borrowing GroupSettings,
        _ quiet: inout Quiet
    ) -> QuietStop {
        Self.moveQuietly(
            &self.places,
            &self.stays,
            of: self.rovers,
            settings: settings,
            yards: self.field.places,
            by: queue.entries,
            in: queue.head..<queue.tail,
            &quiet
        )
    }

    private static func moveQuietly(
        _ positions: inout ContiguousArray<MemberPosition>,
        _ stays: inout ContiguousArray<MemberStay>,
        of rovers: MemberSet,
        settings: borrowing GroupSettings,
        yards: ContiguousArray<SIMD4<Int32>>,
        by entries: ContiguousArray<ObservationQueue.Entry>,
        in range: Range<Int>,
        _ quiet: inout Quiet
    ) -> QuietStop {
        var positions = positions.mutableSpan
        let (yards, waiting) = (yards.span, entries.span)
        // Memory comes more quickly in its own order than in that of arrivals: in groups of ten that all move this saves 4 to
        // 11 of 100 ns a member.
        if 2 * range.count > positions.count {
            for slot in positions.indices { quiet.touched = max(quiet.touched, positions[slot].at) }
        }
        var due = range.upperBound
        while due > range.lowerBound, waiting[due - 1].due > quiet.end { due -= 1 }
        guard due > range.lowerBound + quiet.moved else { return .noneDue }
        // What was taken so late that its member is usable still when the last of these is due: nobody is beyond it then.
        let oldest = max(quiet.instant, waiting[due - 1].due) - Freshness.liveAge
        let seen = quiet.seen ?? Self.look(waiting, range.lowerBound..<due, oldest, positions.span, yards, &quiet)
        quiet.seen = seen
        var next = range.lowerBound + quiet.moved
        var stop = seen.ready == due ? QuietStop.noneDue : .mayMatter
        while next < seen.ready {
            let slot = waiting[next].slot
            let observation = waiting[next].observation
            guard observation.at >= positions[slot].at else {
                stop = .mayMatter
                break
            }
            if next >= seen.inYard, !quiet.isNextCalm,
                !ProximityField.isInYard(slot, ProximityField.Spot(observation.coordinate), places: yards)
            {
                stop = .leavesYard
                break
            }
            // One that left its yard was shown to the stay already.
            if !quiet.isNextCalm, rovers.contains(slot) {
                let reading = MemberStay.Reading(observation, at: RoughPoint(observation.coordinate))
                stays[slot].follow(reading, after: positions[slot], settings: settings)
            }
            quiet.isNextCalm = false
            positions[slot].follow(observation)
            quiet.usableUntil = min(quiet.usableUntil, positions[slot].usableUntil)
            next += 1
        }
        if next > range.lowerBound + quiet.moved { quiet.instant = max(quiet.instant, waiting[next - 1].due) }
        quiet.moved = next - range.lowerBound
        return stop
    }

    /// Finds how many observations may be moves, and how many of those stay in yards.
    ///
    /// Looked at one right after the other, positions and yards are fetched from memory together, and not one after the other
    /// with the work between: in a group of ten that halves the time.
    @inline(__always)
    private static func look(
        _ waiting: Span<ObservationQueue.Entry>,
        _ range: Range<Int>,
        _ oldest: Timestamp,
        _ positions: Span<MemberPosition>,
        _ yards: Span<SIMD4<Int32>>,
        _ quiet: inout Quiet
    ) -> (ready: Int, inYard: Int) {
        var (ready, inYard) = (range.lowerBound, range.lowerBound)
        while ready < range.upperBound, waiting[ready].at >= oldest {
            let slot = waiting[ready].slot
            guard quiet.movers.contains(slot), waiting[ready].at >= positions[slot].at else { break }
            let spot = ProximityField.Spot(waiting[ready].coordinate)
            if inYard == ready, ProximityField.isInYard(slot, spot, places: yards) { inYard += 1 }
            ready += 1
        }
        return (ready, inYard)
    }

    /// Whether nothing comes of an observation outside its member's yard; they get a new one then.
    mutating func isCalm(
        _ entry: ObservationQueue.Entry,
        settings: GroupSettings,
        strayed: MemberSet,
        strayLimit: StrayLimit?
    ) -> Bool {
        let slot = entry.slot
        let observation = entry.observation
        let point = RoughPoint(observation.coordinate)
        if let limit = strayLimit, limit.isExceeded(at: point) != strayed.contains(slot) { return false }
        let outlook = ProximityField.Outlook(point, accuracy: observation.accuracy)
        guard outlook.isCertain else { return false }
        self.field.use(radius: settings.radius)
        var room = self.field.room(of: slot, at: outlook)
        if room == .obstructed {
            self.clearYards(of: self.field.changed(around: slot, at: outlook))
            room = self.field.room(of: slot, at: outlook)
        }
        guard case .upTo(var reach) = room else { return false }
        if let limit = strayLimit { reach = min(reach, ProximityField.units(metres: limit.distance(from: point))) }
        let reading = MemberStay.Reading(observation, at: point)
        self.stays[slot].follow(reading, after: self.places[slot], settings: settings)
        let stayRoom = ProximityField.units(metres: self.stays[slot].room(at: point, radius: settings.radius))
        // Whoever is on the way leaves one stay after the other. To show the stay each fix is less work than to hold the member
        // against all others at each.
        if stayRoom < min(reach, ProximityField.units(metres: settings.radius / 2)) {
            self.rovers.insert(slot)
        } else {
            self.rovers.remove(slot)
            reach = min(reach, stayRoom)
        }
        self.field.place(slot, at: outlook, reach: reach)
        return true
    }
}
