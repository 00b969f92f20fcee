extension GatheringMachine {
    /// Computes the moment at which the passage of time alone changes the phase.
    mutating func findPhaseDeadline() {
        switch self.phase {
        case .scattered:
            self.phaseDeadline = .never
        case .candidate(let since):
            // A gathering that directly follows another one, with a `dwell` of 0, begins at the next instant.
            self.phaseDeadline = since + max(self.settings.dwellMilliseconds, since == self.instant ? 1 : 0)
        case .gathered(let gathering):
            var next = self.silentEnd
            func mind(_ due: Timestamp?) {
                if let due { next = next.map { min($0, due) } ?? due }
            }
            mind(gathering.departures.deadline)
            if gathering.belowSince != nil {
                mind(gathering.end(settings: self.settings))
            } else {
                // Without company the alert waits for a fix.
                let due = gathering.absence.deadline(settings: self.settings, from: gathering.begin)
                if let due, due > self.instant || self.areCompany(gathering.together) { mind(due) }
                mind(gathering.movement.deadline(settings: self.settings))
            }
            self.phaseDeadline = next ?? .never
        }
    }

    /// The moment at which the gathering ends by silence; nil while a member of it is usable.
    @inline(__always)
    private var silentEnd: Timestamp? {
        guard case .gathered(let gathering) = self.phase, !gathering.together.intersects(self.usable) else {
            return nil
        }
        return self.silentEnd(of: gathering)
    }

    private func silentEnd(of gathering: Gathering) -> Timestamp {
        let last = gathering.together.compactMap { self.position(of: $0)?.usableUntil }.max()
        return (last ?? self.instant) + Gathering.silence
    }

    /// Updates the phase to the state of this instant.
    mutating func updatePhase(identifiers: inout IdentifierGenerator) {
        guard self.needsPhaseUpdate || self.phaseDeadline <= self.instant else { return }
        self.needsPhaseUpdate = false
        self.findCluster()
        self.findAbsent()
        switch self.phase {
        case .scattered: self.updateScattered(identifiers: &identifiers)
        case .candidate(let since): self.updateCandidate(since: since, identifiers: &identifiers)
        case .gathered(let gathering): self.updateGathered(gathering)
        }
        self.findPhaseDeadline()
    }

    private mutating func updateScattered(identifiers: inout IdentifierGenerator) {
        guard self.isLargeEnough else { return }
        self.change(to: .candidate(since: self.instant))
        self.updateCandidate(since: self.instant, identifiers: &identifiers)
    }

    private mutating func updateCandidate(since: Timestamp, identifiers: inout IdentifierGenerator) {
        guard self.isLargeEnough else { return self.change(to: .scattered) }
        guard since + self.settings.dwellMilliseconds <= self.instant else { return }
        guard let place = self.median(of: self.cluster) else { return self.change(to: .scattered) }
        let absent = self.absent
        let gathering = Gathering(
            status: GatheringStatus(
                gathering: identifiers.next(at: self.instant),
                state: .together,
                since: since,
                place: self.named(place),
                together: self.users(self.cluster),
                absent: self.users(absent)
            ),
            begin: self.instant,
            together: self.cluster,
            participants: Set(self.users(self.cluster)),
            notified: [],
            absence: AbsenceDetector(absent: absent),
            departures: DepartureDetector(bond: self.cluster)
        )
        self.events.append(.began(gathering.status, at: self.instant))
        self.change(to: .gathered(gathering))
        self.updateGathered(gathering)
    }

    private mutating func updateGathered(_ before: Gathering) {
        var gathering = before
        if let end = self.silentEnd, end <= self.instant { return self.end(gathering) }
        let isLarge = self.isLargeEnough
        self.detectDepartures(of: &gathering, isLarge: isLarge)
        if isLarge {
            // No alert is sent while C is below the threshold, so the wait starts again.
            if gathering.belowSince != nil { gathering.absence.restart(at: self.instant) }
            gathering.belowSince = nil
            self.update(&gathering)
            self.alert(&gathering)
        } else {
            gathering.belowSince = gathering.belowSince ?? self.instant
            gathering.movement = .resting
            if let end = gathering.end(settings: self.settings), end <= self.instant { return self.end(gathering) }
            self.withdraw(from: &gathering)
        }
        if gathering != before { self.change(to: .gathered(gathering)) }
    }

    private mutating func update(_ gathering: inout Gathering) {
        let absent = self.absent
        gathering.together = self.cluster
        gathering.absence.observe(absent, usable: self.usable, settings: self.settings, at: self.instant)
        var status = gathering.status
        status.together = self.users(self.cluster)
        status.absent = self.users(absent)
        gathering.participants.formUnion(status.together)
        self.replacePlace(in: &status, of: gathering)
        self.detectMove(of: &gathering, updating: &status)
        guard status != gathering.status else { return }
        gathering.status = status
        self.events.append(.changed(status, at: self.instant))
    }

    private mutating func detectMove(of gathering: inout Gathering, updating status: inout GatheringStatus) {
        guard gathering.movement != .resting || self.haveMostStrayed else { return }
        let old = Coordinate(latitude: status.place.lat, longitude: status.place.lon)
        // The place is the median of the usable members; without any, there is no evidence that it moved. If the median
        // only changed because other members fell silent, no one moved there.
        guard let place = self.median(of: self.cluster & self.usable),
            let last = self.median(of: self.cluster), last.distance(to: old) > self.settings.awayDistance
        else {
            gathering.movement = .resting
            return
        }
        guard gathering.movement.observe(place, from: old, settings: self.settings, at: self.instant) else { return }
        status.state = .moved
        status.place = self.named(place)
    }

    /// Removes members who left or no longer share from the status, also while C is below the threshold.
    mutating func withdraw(from gathering: inout Gathering) {
        var status = gathering.status
        status.together.removeAll { !self.takesPart($0) }
        status.absent.removeAll { !self.takesPart($0) }
        self.replacePlace(in: &status, of: gathering)
        guard status != gathering.status else { return }
        gathering.status = status
        self.events.append(.changed(status, at: self.instant))
    }

    private func takesPart(_ user: UserID) -> Bool {
        self.roster.slot(of: user).flatMap { self.position(of: $0) } != nil
    }

    private mutating func detectDepartures(of gathering: inout Gathering, isLarge: Bool) {
        gathering.departures.observe(
            cluster: self.cluster,
            isLarge: isLarge,
            since: gathering.status.since,
            graph: self.graph,
            settings: self.settings,
            at: self.instant
        )
        guard gathering.departures.needsExactPositions else { return }
        let left = gathering.departures.decide(
            usable: self.usable,
            position: { self.position(of: $0) },
            graph: self.graph,
            settings: self.settings,
            at: self.instant
        )
        for entry in left {
            guard case .undecided(let undecided) = entry.state, let place = self.whereabouts(of: undecided.rest) else {
                continue
            }
            let away = GatheringGround(
                .departed,
                milliseconds: self.instant - (undecided.awaySince ?? self.instant),
                of: DepartureDetector.timeout
            )
            self.notify(entry.slot, .departed, of: gathering, at: place, together: self.users(undecided.rest), away)
        }
    }

    private mutating func alert(_ gathering: inout Gathering) {
        guard let due = gathering.absence.deadline(settings: self.settings, from: gathering.begin), due <= self.instant
        else { return }
        guard self.areCompany(self.cluster), let place = self.whereabouts(of: self.cluster) else { return }
        let stood = GatheringGround(
            .gathered,
            milliseconds: self.instant - (gathering.absence.since ?? gathering.status.since),
            of: self.settings.dwellMilliseconds
        )
        gathering.absence.speak()
        for user in self.users(gathering.absence.absent) {
            guard !gathering.participants.contains(user) else {
                self.note(.tookPart(user), GatheringGround(.once))
                continue
            }
            guard gathering.notified.insert(user).inserted else {
                self.note(.alreadyNotified(user), GatheringGround(.once))
                continue
            }
            guard let slot = self.roster.slot(of: user) else { continue }
            self.notify(slot, .gathered, of: gathering, at: place, together: gathering.status.together, stood)
        }
    }

    /// Sends an alert to a member, unless the cooldown suppresses it.
    private mutating func notify(
        _ slot: Int,
        _ variant: LeftWithoutYou.Variant,
        of gathering: Gathering,
        at place: GatheringPlace,
        together: [UserID],
        _ ground: GatheringGround
    ) {
        guard let user = self.roster.user(of: slot), let position = self.position(of: slot) else { return }
        guard self.cooldown.admits(variant, to: user, at: self.instant, settings: self.settings) else {
            let since = self.instant - (self.cooldown.last(variant, to: user) ?? self.instant)
            let ground = GatheringGround(.cooldown, milliseconds: since, of: self.settings.cooldownMilliseconds)
            self.note(.cooledDown(user, variant), ground)
            return
        }
        self.note(.alerted(user, variant), ground)
        let own = position.coordinate
        let alert = GatheringAlert(
            user: user,
            variant: variant,
            gathering: gathering.status.gathering,
            at: self.instant,
            since: gathering.status.since,
            place: place,
            together: together,
            distance: own.distance(to: Coordinate(latitude: place.lat, longitude: place.lon)),
            you: LeftWithoutYou.OwnPosition(lat: own.latitude, lon: own.longitude, at: position.at)
        )
        self.events.append(.alert(alert))
        self.isStateChanged = true
    }

    private mutating func end(_ gathering: Gathering) {
        var status = gathering.status
        status.state = .ended
        self.replacePlace(in: &status, of: gathering)
        self.events.append(.ended(status, at: self.instant))
        self.thaw()
        self.findCluster()
        self.change(to: self.isLargeEnough ? .candidate(since: self.instant) : .scattered)
    }

    mutating func change(to phase: GatheringPhase) {
        self.phase = phase
        self.isStateChanged = true
        self.followPhase()
    }

    /// Prepares the limits for the fixes of a gathering.
    mutating func followPhase() {
        guard case .gathered(let gathering) = self.phase else {
            self.strayLimit = nil
            self.strayed = MemberSet()
            self.needsExactPositions = false
            return
        }
        let place = Coordinate(latitude: gathering.status.place.lat, longitude: gathering.status.place.lon)
        self.needsExactPositions = gathering.departures.needsExactPositions || gathering.movement != .resting
        guard place != self.strayLimit?.place else { return }
        self.strayLimit = StrayLimit(around: place, settings: self.settings)
        self.findStrayed()
    }

    // MARK: C and A

    /// Whether C makes the group a candidate.
    private var isLargeEnough: Bool { self.cluster.count >= 2 && 2 * self.cluster.count > self.counted.count }

    private var absent: MemberSet { self.absentees?.members ?? MemberSet() }

    /// Updates A: the usable members who are not near any member of C, once that is certain.
    private mutating func findAbsent() {
        guard !self.cluster.isEmpty else {
            self.absentees = nil
            return
        }
        var far = self.usable - self.cluster
        for slot in far where self.graph.near[slot].intersects(self.cluster) { far.remove(slot) }
        guard let absent = self.absentees?.members else {
            self.absentees = AbsentMembers(far: far, from: self.cluster, usable: self.usable)
            return
        }
        var within = absent - far
        for slot in within where !self.graph.hasCome(slot, toAnyOf: self.cluster) { within.remove(slot) }
        let (cluster, usable, instant) = (self.cluster, self.usable, self.instant)
        self.absentees?.observe(far: far, within: within, of: cluster, usable: usable, at: instant)
    }

    /// Computes C: the largest cluster; if equally large, the older one, then the one with the smallest member id.
    mutating func findCluster() {
        guard self.clusterRevision != self.graph.linkRevision else { return }
        self.clusterRevision = self.graph.linkRevision
        var best = MemberSet()
        for cluster in self.graph.clusters {
            let isLarger = cluster.count > best.count
            if isLarger || cluster.count == best.count && self.rank(cluster) > self.rank(best) { best = cluster }
        }
        if best != self.cluster { self.isStateChanged = true }
        self.cluster = best
    }

    private func rank(_ cluster: MemberSet) -> (Int64, Int64) {
        let since = cluster.compactMap { self.graph.linkedSince[$0]?.milliseconds }.min() ?? .max
        let user = cluster.compactMap { self.roster.user(of: $0)?.rawValue }.min() ?? .max
        return (-since, -user)
    }

    /// The members of a set, sorted by id.
    @inline(__always)
    func users(_ set: MemberSet) -> [UserID] { self.roster.users(of: set) }
}
