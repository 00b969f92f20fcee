// Nearly every fix changes where somebody is, and nothing else. This loop takes in such fixes, one after the other, and stops
// before the first one of which anything might come; that one goes the long way. It only reads until it is certain that nothing
// comes of a fix, so that the long way finds everything as it was.
//
// It is written for the processor: for each fix it touches the member's position, a row of standings and the flat places, in
// arrays that are checked to be ours alone once and not for each fix.

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
            from: queue.head,
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
        from start: Int,
        _ quiet: inout Quiet
    ) -> Int {
        var positions = positions.mutableSpan
        var spots = spots.mutableSpan
        let rows = rows.span
        let waiting = entries.span
        var (end, instant) = (quiet.end, quiet.instant)
        var leastUsableUntil = Int64.max
        // Looked at one right after the other, the positions are fetched from memory together, and not one after the other
        // with the work between: in a group of ten that halves the time.
        var ready = start
        while ready < waiting.count, waiting[ready].due <= end {
            let slot = Int(waiting[ready].slot)
            guard quiet.movers.contains(slot), waiting[ready].observation.at >= positions[slot].at else { break }
            ready += 1
        }
        var next = start
        while next < ready {
            let due = waiting[next].due
            let observation = waiting[next].observation
            let slot = Int(waiting[next].slot)
            guard due <= end, observation.at >= positions[slot].at else { break }
            let usableUntil = Freshness.usableUntil(observation.at, isStationary: observation.isStationary)
            guard usableUntil >= max(instant, due) else { break }
            let point = RoughPoint(observation.coordinate)
            let spot = ProximityField.Spot(point, accuracy: observation.accuracy)
            guard ProximityField.isCalm(slot, at: spot, places: spots.span, rows: rows, limits: limits) else { break }
            if let limit = quiet.strayLimit, limit.isExceeded(at: point) != quiet.strayed.contains(slot) { break }
            positions[slot].follow(observation, at: point)
            ProximityField.place(slot, at: spot, in: &spots)
            instant = max(instant, due)
            end = min(end, usableUntil)
            leastUsableUntil = min(leastUsableUntil, usableUntil.milliseconds)
            next += 1
        }
        quiet.instant = instant
        if next > start { quiet.usableUntil = Timestamp(milliseconds: leastUsableUntil) }
        return next
    }
}
