extension GatheringMachine {
    /// Gives a member a slot; one beyond the largest group takes no part.
    mutating func enrol(_ member: Member) {
        guard self.slots[member.user] == nil else { return }
        let slot = self.members.firstIndex { $0 == nil } ?? self.members.count
        guard slot < MemberSet.capacity else { return }
        let new = GatheringMember(user: member.user, isSharingLive: member.isSharingLive)
        if slot == self.members.count { self.members.append(new) } else { self.members[slot] = new }
        self.graph.grow(to: self.members.count)
        self.slots[member.user] = slot
        if member.isSharingLive, let position = member.position { self.adopt(position, of: member.user) }
    }

    /// Lets a stored position be observed as if it had come when it was taken.
    func observation(of position: StoredPosition) -> GatheringObservation? {
        guard let at = position.fix.at, position.fix.accuracy.map({ $0 <= FixGate.accuracyLimit }) ?? true
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

    /// Takes over a member's stored position.
    ///
    /// One who was usable when the state was stored, and has a newer position, was usable all the while in between.
    mutating func adopt(_ position: StoredPosition, of user: UserID) {
        guard let observation = self.observation(of: position), let slot = self.slots[user] else { return }
        let until = Freshness.usableUntil(observation.at, isStationary: observation.isStationary)
        if self.usable.contains(slot), let known = self.members[slot]?.usableUntil {
            self.members[slot]?.usableUntil = max(known, until)
        }
        self.queue.insert(observation, of: slot, receivedAt: observation.at, lag: Self.lag)
    }

    /// Takes a member's slot away.
    mutating func dismiss(_ user: UserID) {
        guard let slot = self.slots[user] else { return }
        self.forget(slot)
        self.members[slot] = nil
        self.slots[user] = nil
        if case .gathered(var gathering) = self.phase {
            gathering.absence.remove(slot)
            gathering.together.remove(slot)
            self.phase = .gathered(gathering)
        }
    }

    /// Forgets where a member was, what waits of them and that they took part.
    mutating func forget(_ slot: Int) {
        self.queue.removeAll(of: slot)
        if self.counted.contains(slot) { self.isStateChanged = true }
        if let user = self.members[slot]?.user { self.noteWithdrawal(of: user) }
        self.members[slot]?.position = nil
        self.members[slot]?.usableUntil = nil
        self.usable.remove(slot)
        self.frozen.remove(slot)
        self.counted.remove(slot)
        self.graph.remove(slot)
        self.strayed.remove(slot)
        if case .gathered(var gathering) = self.phase {
            gathering.departures.remove(slot)
            self.phase = .gathered(gathering)
        }
        self.needsSettling = true
    }

    /// Moves a member to a position whose turn has come.
    mutating func apply(_ observation: GatheringObservation, of slot: Int) {
        guard var member = self.members[slot], member.isSharingLive else { return }
        if let position = member.position, observation.at < position.at { return }
        let until = Freshness.usableUntil(observation.at, isStationary: observation.isStationary)
        guard until + GatheringMember.memory >= self.instant else { return }

        let position = MemberPosition(observation, after: member.position)
        member.position = position
        member.usableUntil = until
        self.members[slot] = member
        let before = (self.counted, self.usable, self.graph.revision)
        self.counted.insert(slot)
        if until >= self.instant {
            self.usable.insert(slot)
            self.frozen.remove(slot)
            let openings = self.graph.openings
            self.graph.move(slot, to: position, radius: self.settings.radius, at: self.instant)
            // A restart must know where they were when they began to come apart.
            if openings != self.graph.openings, self.place != nil { self.isStateChanged = true }
            self.noteStraying(of: slot, at: position.point)
        }
        self.schedule(member)
        if before != (self.counted, self.usable, self.graph.revision) { self.needsSettling = true }
    }

    /// Makes those whose position became too old unknown.
    mutating func expireMembers() {
        guard let deadline = self.memberDeadline, deadline <= self.instant else { return }
        self.memberDeadline = nil
        for slot in self.counted {
            guard let member = self.members[slot], let usableUntil = member.usableUntil,
                let countsUntil = member.countsUntil
            else { continue }
            if usableUntil < self.instant, self.usable.contains(slot) {
                self.usable.remove(slot)
                if self.isInGathering(slot) { self.frozen.insert(slot) } else { self.graph.remove(slot) }
                self.needsSettling = true
            }
            if countsUntil < self.instant {
                self.counted.remove(slot)
                self.frozen.remove(slot)
                self.graph.remove(slot)
                self.needsSettling = true
            }
            self.schedule(member)
        }
    }

    /// Forgets the places of those frozen, who counted for a gathering that is over.
    mutating func thaw() {
        for slot in self.frozen { self.graph.remove(slot) }
        self.frozen = MemberSet()
    }

    /// Finds out anew who is far from where the gathering is said to be.
    mutating func findStrayed() {
        self.strayed = MemberSet()
        for slot in self.graph.placed {
            if let point = self.graph.positions[slot]?.point { self.noteStraying(of: slot, at: point) }
        }
    }

    /// Notes whether a member is far from where the gathering is said to be, and lets the phase look when that matters.
    private mutating func noteStraying(of slot: Int, at point: LocalPoint) {
        guard let place = self.place else { return }
        // A median is further away than d only if half of the members are further than d/√2 to the same side.
        if point.distance(to: place) > self.settings.awayDistance / 2.0.squareRoot() {
            self.strayed.insert(slot)
        } else {
            self.strayed.remove(slot)
        }
        if self.isWatching || self.haveMostStrayed { self.needsSettling = true }
    }

    /// Whether enough of C are far from where the gathering is said to be for it to be elsewhere.
    var haveMostStrayed: Bool {
        !self.strayed.isEmpty && 2 * (self.strayed & self.cluster).count >= self.cluster.count
    }

    private func isInGathering(_ slot: Int) -> Bool {
        guard case .gathered(let gathering) = self.phase else { return false }
        return self.cluster.contains(slot) || gathering.together.contains(slot) && gathering.belowSince != nil
    }

    private mutating func schedule(_ member: GatheringMember) {
        guard let usableUntil = member.usableUntil, let countsUntil = member.countsUntil else { return }
        // Both bounds are inclusive.
        let next = (usableUntil >= self.instant ? usableUntil : countsUntil) + 1
        if next > self.instant { self.memberDeadline = self.memberDeadline.map { min($0, next) } ?? next }
    }
}
