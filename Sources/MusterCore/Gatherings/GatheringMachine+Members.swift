extension GatheringMachine {
    /// The last applied position of a member; nil if the member does not take part or never had one.
    func position(of slot: Int) -> MemberPosition? { self.separate[slot] ?? self.graph.positions[slot] }

    /// Reserves capacity for members.
    mutating func reserve(_ count: Int) {
        let count = min(count, MemberSet.capacity)
        self.roster.reserveCapacity(count)
        // One fix per member, as long as that is little memory.
        self.queue.reserveCapacity(min(count, 16))
        self.graph.grow(to: count)
    }

    /// Assigns a slot to a member.
    ///
    /// Members beyond the capacity do not take part.
    ///
    /// A stored position with a time ahead of `now` is ignored; without `now`, ahead of the machine's own time.
    mutating func enrol(_ member: Member, at now: Timestamp? = nil) {
        guard self.roster.slot(of: member.user) == nil, let slot = self.roster.add(member.user) else { return }
        self.setSharing(member.isSharingLive, of: slot)
        self.graph.grow(to: self.roster.count)
        if member.isSharingLive, let position = member.position { self.adopt(position, of: member.user, at: now) }
    }

    /// Sets whether a member shares `live`.
    mutating func setSharing(_ isSharing: Bool, of slot: Int) {
        if isSharing { self.sharing.insert(slot) } else { self.sharing.remove(slot) }
    }

    /// Converts a stored position to an observation with the time at which it was taken; nil if it is unusable.
    func observation(of position: StoredPosition, at now: Timestamp? = nil) -> GatheringObservation? {
        guard let at = position.fix.at, at <= (now ?? self.instant + Self.lag) + FixGate.tolerance,
            position.fix.accuracy.map({ $0 <= FixGate.accuracyLimit }) ?? true
        else { return nil }
        return GatheringObservation(
            device: position.device,
            sequence: position.fix.sequence,
            at: at,
            coordinate: position.fix.coordinate,
            accuracy: Double(position.fix.accuracy ?? 0),
            isStationary: position.isStationary
        )
    }

    /// Enqueues a member's stored position.
    ///
    /// If a member with a newer position was usable in the stored state, they count as usable throughout the time in
    /// between.
    mutating func adopt(_ position: StoredPosition, of user: UserID, at now: Timestamp? = nil) {
        guard let observation = self.observation(of: position, at: now), let slot = self.roster.slot(of: user) else {
            return
        }
        let until = Freshness.usableUntil(observation.at, isStationary: observation.isStationary)
        if self.usable.contains(slot) { self.graph.extendUsability(of: slot, until: until) }
        self.queue.insert(observation, of: slot, receivedAt: observation.at, lag: Self.lag)
    }

    /// Releases a member's slot.
    mutating func dismiss(_ user: UserID) {
        guard let slot = self.roster.slot(of: user) else { return }
        self.forget(slot)
        self.roster.remove(slot)
        self.sharing.remove(slot)
        if case .gathered(var gathering) = self.phase {
            gathering.absence.remove(slot)
            gathering.together.remove(slot)
            self.phase = .gathered(gathering)
        }
    }

    /// Removes a member's position, queued observations and part in departures.
    mutating func forget(_ slot: Int) {
        self.queue.removeAll(of: slot)
        if self.counted.contains(slot) { self.isStateChanged = true }
        if let user = self.roster.user(of: slot) { self.noteWithdrawal(of: user) }
        self.separate[slot] = nil
        self.usable.remove(slot)
        self.frozen.remove(slot)
        self.counted.remove(slot)
        self.graph.remove(slot)
        self.strayed.remove(slot)
        if case .gathered(var gathering) = self.phase {
            gathering.departures.remove(slot)
            self.phase = .gathered(gathering)
        }
        self.needsPhaseUpdate = true
    }

    /// Moves a member to a position that is due.
    mutating func apply(_ observation: GatheringObservation, of slot: Int) {
        guard self.sharing.contains(slot) else { return }
        var position: MemberPosition
        var isNew = true
        // A previous position ahead of the machine's time does not make this one older.
        if let previous = self.position(of: slot), previous.at <= self.instant {
            guard observation.at >= previous.at else { return }
            position = previous
            position.follow(observation)
            self.graph.stays[slot].follow(observation, after: previous, settings: self.settings)
            isNew = position.repeats == nil
        } else {
            position = MemberPosition(first: observation)
            self.graph.stays[slot] = MemberStay(observation.coordinate, at: observation.at)
        }
        guard position.countsUntil >= self.instant else { return }
        let before = (self.counted, self.usable, self.graph.revision)
        self.counted.insert(slot)
        if position.usableUntil >= self.instant {
            self.usable.insert(slot)
            self.frozen.remove(slot)
            self.separate[slot] = nil
            let openings = self.graph.openings
            self.graph.move(slot, to: position, isNew: isNew, settings: self.settings, at: self.instant)
            self.noteMove(of: slot, at: observation.coordinate, since: openings)
            if isNew { self.noteDoubt(of: slot) }
        } else {
            self.separate[slot] = position
            // The previous position was usable for longer if the member was stationary; now the member is unknown.
            if self.usable.contains(slot) { self.memberDeadline = min(self.memberDeadline, self.instant) }
            // The end by silence may change, and so may a place under observation.
            self.findPhaseDeadline()
            if self.needsExactPositions || self.haveMostStrayed { self.needsPhaseUpdate = true }
        }
        self.schedule(usableUntil: position.usableUntil)
        if before != (self.counted, self.usable, self.graph.revision) { self.needsPhaseUpdate = true }
    }

    /// Records a fix of a member whose absence is in doubt, so that the phase is evaluated.
    private mutating func noteDoubt(of slot: Int) {
        guard self.absentees?.doubts.isEmpty == false else { return }
        let instant = self.instant
        self.absentees?.noteFix(of: slot, at: instant)
        self.needsPhaseUpdate = true
    }

    /// Records the effect of a move on the gathering.
    private mutating func noteMove(of slot: Int, at place: Coordinate, since openings: UInt64) {
        guard let limit = self.strayLimit else { return }
        // The stored state needs the positions at the start of an opening.
        if openings != self.graph.openings { self.isStateChanged = true }
        self.noteStraying(of: slot, at: place, limit: limit)
    }

    /// Marks members whose position is too old as unknown.
    mutating func expireMembers() {
        guard self.memberDeadline <= self.instant else { return }
        self.memberDeadline = .never
        for slot in self.counted {
            guard let position = self.position(of: slot) else { continue }
            if position.usableUntil < self.instant, self.usable.contains(slot) {
                self.usable.remove(slot)
                if self.isInGathering(slot) { self.frozen.insert(slot) } else { self.displace(slot) }
                self.needsPhaseUpdate = true
            }
            if position.countsUntil < self.instant {
                self.counted.remove(slot)
                self.frozen.remove(slot)
                self.displace(slot)
                self.needsPhaseUpdate = true
            }
            self.schedule(usableUntil: position.usableUntil)
        }
    }

    /// Removes frozen members from the graph after their gathering has ended.
    mutating func thaw() {
        for slot in self.frozen { self.displace(slot) }
        self.frozen = MemberSet()
    }

    /// Removes a member from the graph but keeps their position.
    private mutating func displace(_ slot: Int) {
        self.separate[slot] = self.position(of: slot)
        self.graph.remove(slot)
    }

    /// Computes `strayed` again.
    mutating func findStrayed() {
        self.strayed = MemberSet()
        guard let limit = self.strayLimit else { return }
        for slot in self.graph.placed {
            guard let place = self.graph.positions[slot]?.coordinate else { continue }
            self.noteStraying(of: slot, at: place, limit: limit)
        }
    }

    /// Updates whether a member is far from the announced place, and requests an evaluation of the phase if that
    /// matters.
    private mutating func noteStraying(of slot: Int, at place: Coordinate, limit: StrayLimit) {
        let isStrayed = limit.isExceeded(at: place)
        if isStrayed != self.strayed.contains(slot) {
            if isStrayed { self.strayed.insert(slot) } else { self.strayed.remove(slot) }
        }
        if self.needsExactPositions || self.haveMostStrayed { self.needsPhaseUpdate = true }
    }

    private func isInGathering(_ slot: Int) -> Bool {
        guard case .gathered(let gathering) = self.phase else { return false }
        return self.cluster.contains(slot) || gathering.together.contains(slot) && gathering.belowSince != nil
    }

    private mutating func schedule(usableUntil: Timestamp) {
        // Both bounds are inclusive.
        let next = (usableUntil >= self.instant ? usableUntil : usableUntil + MemberPosition.memory) + 1
        if next > self.instant { self.memberDeadline = min(self.memberDeadline, next) }
    }
}
