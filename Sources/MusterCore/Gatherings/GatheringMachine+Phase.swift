extension GatheringMachine {
    /// When time alone moves the phase on; nil when something must happen first.
    var phaseDeadline: Timestamp? {
        switch self.phase {
        case .scattered:
            return nil
        case .candidate(let since):
            return since + self.settings.dwellMilliseconds
        case .gathered(let gathering):
            let end = gathering.belowSince.map { $0 + Gathering.patience }
            let alert = end == nil ? gathering.absence.deadline(settings: self.settings, from: gathering.begin) : nil
            return [end, alert, self.silentEnd].compactMap { $0 }.min()
        }
    }

    /// When nobody of the gathering will have been usable for too long; nil while somebody is.
    private var silentEnd: Timestamp? {
        guard case .gathered(let gathering) = self.phase else { return nil }
        guard !gathering.together.intersects(self.usable) else { return nil }
        let last = gathering.together.compactMap { self.members[$0]?.usableUntil }.max()
        return (last ?? self.instant) + Gathering.silence
    }

    /// Brings the phase in line with who is where, at this instant.
    mutating func settle(identifiers: inout IdentifierGenerator) {
        let isDue = self.phaseDeadline.map { $0 <= self.instant } ?? false
        guard self.needsSettling || isDue else { return }
        self.needsSettling = false
        self.findCluster()
        switch self.phase {
        case .scattered: self.settleScattered(identifiers: &identifiers)
        case .candidate(let since): self.settleCandidate(since: since, identifiers: &identifiers)
        case .gathered(let gathering): self.settleGathered(gathering)
        }
    }

    private mutating func settleScattered(identifiers: inout IdentifierGenerator) {
        guard self.isLargeEnough else { return }
        self.change(to: .candidate(since: self.instant))
        self.settleCandidate(since: self.instant, identifiers: &identifiers)
    }

    private mutating func settleCandidate(since: Timestamp, identifiers: inout IdentifierGenerator) {
        guard self.isLargeEnough else { return self.change(to: .scattered) }
        guard since + self.settings.dwellMilliseconds <= self.instant else { return }
        let places = self.cluster.compactMap { self.members[$0]?.position?.point.coordinate }
        guard let place = Coordinate.median(of: places) else { return self.change(to: .scattered) }
        let absent = self.absent
        let gathering = Gathering(
            status: GatheringStatus(
                gathering: identifiers.next(at: self.instant),
                state: .together,
                since: since,
                place: GatheringPlace(lat: place.latitude, lon: place.longitude),
                together: self.users(self.cluster),
                absent: self.users(absent)
            ),
            begin: self.instant,
            together: self.cluster,
            participants: Set(self.users(self.cluster)),
            told: [],
            absence: AbsenceWatch(absent: absent)
        )
        self.events.append(.began(gathering.status))
        self.change(to: .gathered(gathering))
        self.settleGathered(gathering)
    }

    private mutating func settleGathered(_ before: Gathering) {
        var gathering = before
        if let end = self.silentEnd, end <= self.instant { return self.end(gathering) }
        if self.isLargeEnough {
            // Nobody is told while it is below, so those absent have to stand anew.
            if gathering.belowSince != nil { gathering.absence.restart(at: self.instant) }
            gathering.belowSince = nil
            self.update(&gathering)
            self.alert(&gathering)
        } else {
            let since = gathering.belowSince ?? self.instant
            if since + Gathering.patience <= self.instant { return self.end(gathering) }
            gathering.belowSince = since
            self.withdraw(from: &gathering)
        }
        if gathering != before { self.change(to: .gathered(gathering)) }
    }

    private mutating func update(_ gathering: inout Gathering) {
        let absent = self.absent
        gathering.together = self.cluster
        gathering.absence.observe(absent, at: self.instant)
        var status = gathering.status
        status.together = self.users(self.cluster)
        status.absent = self.users(absent)
        gathering.participants.formUnion(status.together)
        guard status != gathering.status else { return }
        gathering.status = status
        self.events.append(.changed(status))
    }

    /// Takes those who left or share no longer out of what is told, also while it is below.
    private mutating func withdraw(from gathering: inout Gathering) {
        var status = gathering.status
        status.together.removeAll { !self.takesPart($0) }
        status.absent.removeAll { !self.takesPart($0) }
        guard status != gathering.status else { return }
        gathering.status = status
        self.events.append(.changed(status))
    }

    private func takesPart(_ user: UserID) -> Bool {
        self.slots[user].flatMap { self.members[$0]?.position } != nil
    }

    private mutating func alert(_ gathering: inout Gathering) {
        guard let due = gathering.absence.deadline(settings: self.settings, from: gathering.begin), due <= self.instant
        else { return }
        gathering.absence.speak()
        let place = Coordinate(latitude: gathering.status.place.lat, longitude: gathering.status.place.lon)
        for user in self.users(gathering.absence.absent)
        where !gathering.participants.contains(user) && gathering.told.insert(user).inserted {
            guard let slot = self.slots[user], let position = self.members[slot]?.position,
                self.cooldown.admits(.gathered, to: user, at: self.instant, settings: self.settings)
            else { continue }
            let own = position.point.coordinate
            let alert = GatheringAlert(
                user: user,
                variant: .gathered,
                gathering: gathering.status.gathering,
                at: self.instant,
                since: gathering.status.since,
                place: gathering.status.place,
                together: gathering.status.together,
                distance: own.distance(to: place),
                you: LeftWithoutYou.OwnPosition(lat: own.latitude, lon: own.longitude, at: position.at)
            )
            self.events.append(.alert(alert))
        }
    }

    private mutating func end(_ gathering: Gathering) {
        var status = gathering.status
        status.state = .ended
        self.events.append(.ended(status))
        self.thaw()
        self.findCluster()
        self.change(to: self.isLargeEnough ? .candidate(since: self.instant) : .scattered)
    }

    private mutating func change(to phase: GatheringPhase) {
        self.phase = phase
        self.isStateChanged = true
    }

    // MARK: C and A

    /// Whether C makes the group a candidate.
    private var isLargeEnough: Bool { self.cluster.count >= 2 && 2 * self.cluster.count > self.counted.count }

    /// Those usable who are not near anybody of C.
    private var absent: MemberSet {
        var absent = self.usable - self.cluster
        for slot in absent where self.graph.near[slot].intersects(self.cluster) { absent.remove(slot) }
        return absent
    }

    /// Finds C: the largest cluster; of equal ones the older, then the one with the smallest member id.
    private mutating func findCluster() {
        let clusters = self.graph.clusters
        let best = clusters.max { left, right in self.rank(left) < self.rank(right) } ?? MemberSet()
        if best != self.cluster { self.isStateChanged = true }
        self.cluster = best
    }

    private func rank(_ cluster: MemberSet) -> (Int, Int64, Int64) {
        let since = cluster.compactMap { self.graph.linkedSince[$0]?.milliseconds }.min() ?? .max
        let user = cluster.compactMap { self.members[$0]?.user.rawValue }.min() ?? .max
        return (cluster.count, -since, -user)
    }

    /// The members of a set, by id.
    func users(_ set: MemberSet) -> [UserID] { set.compactMap { self.members[$0]?.user }.sorted() }
}
