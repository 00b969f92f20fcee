// Nearly every fix changes where somebody is, and nothing else; most of them do not even leave the yard in which nothing can
// change (`ProximityField`). This loop takes in such fixes, one after the other, and stops before the first one of which
// anything might come; that one goes the long way. It changes nothing that is decided by until it is certain that nothing comes
// of a fix, so that the long way finds everything as it was.
//
// It is written for the processor: for each fix it touches the member's position and their yard, in arrays that are checked to
// be ours alone once and not for each fix.

extension ProximityGraph {
    /// What must hold for a move to be a move and nothing else.
    struct Quiet {
        /// Who may move so: those usable, whom the graph has where they are.
        let movers: MemberSet
        /// Those far from where the gathering is said to be.
        let strayed: MemberSet
        /// How far that is; nil while nothing is gathered.
        let strayLimit: StrayLimit?
        /// R.
        let radius: Double
        /// Until when nothing else is due.
        let end: Timestamp
        /// The machine's own time.
        var instant: Timestamp
        /// Until when all who moved are usable.
        var usableUntil: Timestamp?
    }

    /// Takes in observations from the queue for as long as they change where members are, and nothing else.
    mutating func moveQuietly(by queue: inout ObservationQueue, _ quiet: inout Quiet) {
        self.field.use(radius: quiet.radius)
        let next = Self.moveQuietly(
            &self.places,
            &self.field.places,
            rows: self.field.rows,
            limits: self.field.limits,
            by: queue.entries,
            in: queue.head..<queue.tail,
            &quiet
        )
        queue.drop(before: next)
    }

    /// Returns the index of the first entry that was not taken in.
    private static func moveQuietly(
        _ positions: inout ContiguousArray<MemberPosition>,
        _ spots: inout ContiguousArray<SIMD4<Int32>>,
        rows: ContiguousArray<SIMD4<Int8>>,
        limits: ProximityField.Limits,
        by entries: ContiguousArray<ObservationQueue.Entry>,
        in range: Range<Int>,
        _ quiet: inout Quiet
    ) -> Int {
        var positions = positions.mutableSpan
        var spots = spots.mutableSpan
        let rows = rows.span
        let waiting = entries.span
        var (end, instant) = (quiet.end, quiet.instant)
        var leastUsableUntil = Int64.max
        // Looked at one right after the other, positions and yards are fetched from memory together, and not one after the
        // other with the work between: in a group of ten that halves the time.
        var (ready, inYard) = (range.lowerBound, range.lowerBound)
        while ready < range.upperBound, waiting[ready].due <= end {
            let slot = waiting[ready].slot
            guard quiet.movers.contains(slot), waiting[ready].at >= positions[slot].at else { break }
            let spot = ProximityField.Spot(waiting[ready].coordinate)
            if inYard == ready, ProximityField.isInYard(slot, spot, places: spots.span) { inYard += 1 }
            ready += 1
        }
        var next = range.lowerBound
        while next < ready {
            let slot = waiting[next].slot
            let due = waiting[next].due
            let observation = waiting[next].observation
            guard due <= end, observation.at >= positions[slot].at else { break }
            let usableUntil = Freshness.usableUntil(observation.at, isStationary: observation.isStationary)
            guard usableUntil >= max(instant, due) else { break }
            if next >= inYard,
                !ProximityField.isInYard(slot, ProximityField.Spot(observation.coordinate), places: spots.span)
            {
                let isCalm = Self.isCalm(
                    slot,
                    at: RoughPoint(observation.coordinate),
                    accuracy: observation.accuracy,
                    positions: positions.span,
                    spots: &spots,
                    rows: rows,
                    limits: limits,
                    quiet
                )
                guard isCalm else { break }
            }
            positions[slot].follow(observation)
            instant = max(instant, due)
            end = min(end, usableUntil)
            leastUsableUntil = min(leastUsableUntil, usableUntil.milliseconds)
            next += 1
        }
        quiet.instant = instant
        if next > range.lowerBound { quiet.usableUntil = Timestamp(milliseconds: leastUsableUntil) }
        return next
    }

    /// Whether nothing comes of a fix outside its member's yard; they get a new one then.
    @inline(never)
    private static func isCalm(
        _ slot: Int,
        at point: RoughPoint,
        accuracy: Double,
        positions: Span<MemberPosition>,
        spots: inout MutableSpan<SIMD4<Int32>>,
        rows: Span<SIMD4<Int8>>,
        limits: ProximityField.Limits,
        _ quiet: borrowing Quiet
    ) -> Bool {
        if let limit = quiet.strayLimit, limit.isExceeded(at: point) != quiet.strayed.contains(slot) { return false }
        let outlook = ProximityField.Outlook(point, accuracy: accuracy)
        guard outlook.isCertain else { return false }
        var room = ProximityField.room(of: slot, at: outlook, places: spots.span, rows: rows, limits: limits)
        if room == nil {
            // It may be for the yards of others that it is uncertain.
            let others = ProximityField.changed(
                around: slot,
                at: outlook,
                places: spots.span,
                rows: rows,
                limits: limits
            )
            var isClearer = false
            for other in others where ProximityField.hasYard(other, places: spots.span) {
                ProximityField.place(other, at: positions[other].outlook, reach: 0, in: &spots)
                isClearer = true
            }
            if isClearer {
                room = ProximityField.room(of: slot, at: outlook, places: spots.span, rows: rows, limits: limits)
            }
        }
        guard var room else { return false }
        if let limit = quiet.strayLimit {
            room = min(room, ProximityField.units(metres: limit.distance(from: point)))
        }
        ProximityField.place(slot, at: outlook, reach: room, in: &spots)
        return true
    }
}
