extension Sharing {
    /// The minimum accuracy of a position on the grid, in metres: half the diagonal of a cell at the equator.
    static let gridAccuracy: Float = 800

    /// The setting in effect at `now`.
    ///
    /// After `until` it is `then`, and positions that were hidden before stay hidden.
    func inForce(at now: Timestamp) -> Self {
        guard let until = self.until, until <= now else { return self }
        guard self.then == .live else {
            return Self(
                mode: .paused,
                visibleSince: self.visibleSince,
                hasPaused: self.hasPaused,
                isPictured: self.isPictured
            )
        }
        guard self.mode == .paused, until >= self.visibleSince else {
            return Self(visibleSince: self.visibleSince, hasPaused: self.hasPaused, isPictured: self.isPictured)
        }
        return Self(visibleSince: until, hasPaused: true, isPictured: self.isPictured)
    }

    /// The setting after `self` when storage has `next`.
    ///
    /// Positions taken before the end of a pause stay hidden for ever.
    func followed(by next: Self, at now: Timestamp) -> Self {
        var next = next
        // Storage keeps what a clock said that was ahead; each reading must not hide anew what was taken since.
        if next.visibleSince - now > FixGate.tolerance { next.visibleSince = min(self.visibleSince, now) }
        let isResumed = self.mode == .paused && next.mode != .paused
        if isResumed && next.visibleSince <= self.visibleSince { next.visibleSince = now }
        next.visibleSince = max(next.visibleSince, self.visibleSince)
        next.hasPaused = next.hasPaused || self.hasPaused || isResumed
        return next.inForce(at: now)
    }

    /// Takes a `visibleSince` ahead of now, noted by a clock that has been put right since, as now.
    ///
    /// One that is ahead by no more than a fix may be stays: it has passed soon.
    mutating func rewind(to now: Timestamp) {
        if self.visibleSince - now > FixGate.tolerance { self.visibleSince = now }
    }

    /// Whether this setting has the mode of another, but shows less after one of the two ends.
    func endsNarrower(than other: Self) -> Bool {
        guard self.mode == other.mode else { return false }
        let hides = self.until != nil && self.then == .paused
        let otherHides = other.until != nil && other.then == .paused
        guard hides == otherHides else { return hides }
        let (end, otherEnd) = (self.until ?? .never, other.until ?? .never)
        return hides ? end < otherEnd : end > otherEnd
    }

    /// Whether a position was taken while visible to the group, and is visible now.
    ///
    /// An unknown clock may be ahead by as much as the clock correction permits. A position that such a clock dates
    /// just after a pause may have been taken within it.
    func shows(_ position: ShownPosition) -> Bool {
        guard self.mode != .paused else { return false }
        let error = self.hasPaused && !position.isTimeKnown ? ClockOffset.limit : 0
        return position.takenBefore - error >= self.visibleSince
    }

    /// The part of a position that the group sees.
    func view(of position: ShownPosition?, at now: Timestamp) -> RosterEntry.Position {
        guard let position, self.shows(position) else { return RosterEntry.Position() }
        let freshness = Freshness(of: position.at, isStationary: position.isStationary, at: now)
        let fix = position.fix
        switch self.mode {
        case .paused:
            return RosterEntry.Position()
        case .approximate:
            return RosterEntry.Position(
                coordinate: fix.coordinate.snappedToGrid,
                at: position.at,
                accuracy: max(fix.accuracy ?? 0, Self.gridAccuracy),
                freshness: freshness
            )
        case .live:
            return RosterEntry.Position(
                coordinate: fix.coordinate,
                at: position.at,
                accuracy: fix.accuracy,
                altitude: fix.altitude,
                speed: fix.speed,
                course: fix.course,
                battery: fix.battery,
                freshness: freshness
            )
        }
    }
}

extension Sharing.Mode {
    /// Whether this mode shows less than another.
    func isNarrower(than other: Self) -> Bool { self.openness < other.openness }

    private var openness: Int {
        switch self {
        case .paused: 0
        case .approximate: 1
        case .live: 2
        }
    }
}
