extension GatheringMachine {
    /// The stored form of a member, whose index among the enrolled ones is `index`.
    func state(of slot: Int, at index: Int) -> GatheringState.Member? {
        self.roster.user(of: slot).map { user in
            GatheringState.Member(
                user: user,
                slot: slot == index ? nil : slot,
                isSharing: self.sharing.contains(slot),
                standing: self.usable.contains(slot) ? .usable : self.frozen.contains(slot) ? .frozen : .unknown,
                counts: self.counted.contains(slot),
                position: self.position(of: slot).map { self.state(of: $0, self.graph.stays[slot]) },
                countsAt: self.separate[slot] == nil
                    ? nil : self.graph.positions[slot].map { self.state(of: $0, self.graph.stays[slot]) },
                linkedSince: self.graph.linkedSince[slot].map(StoredMoment.init)
            )
        }
    }

    private func state(of position: MemberPosition, _ stay: MemberStay) -> GatheringState.Position {
        GatheringState.Position(
            at: StoredMoment(position.at),
            place: GatheringState.Place(position.coordinate),
            accuracy: position.accuracy,
            isStationary: position.isStationary,
            speed: position.speed,
            interval: position.interval,
            usableUntil: StoredMoment(position.usableUntil),
            rest: GatheringState.Stay(
                place: GatheringState.Place(position.restPlace),
                since: StoredMoment(position.restSince)
            ),
            stay: Self.state(of: stay.current),
            longStay: stay.past.map(Self.state),
            isBeyondStay: stay.isBeyond,
            isStayProven: stay.isProven ? nil : false,
            repeats: position.repeats
        )
    }

    private static func state(of stay: MemberStay.Stay) -> GatheringState.Stay {
        GatheringState.Stay(
            place: GatheringState.Place(stay.place),
            since: StoredMoment(stay.since),
            until: stay.end.map(StoredMoment.init)
        )
    }

    /// Restores a member.
    mutating func restore(_ member: GatheringState.Member) throws(StateDamage) {
        guard self.roster.slot(of: member.user) == nil,
            let slot = member.slot.map({ self.roster.add(member.user, at: $0) }) ?? self.roster.add(member.user)
        else { throw StateDamage() }
        self.setSharing(member.isSharing, of: slot)
        self.graph.grow(to: slot + 1)
        if member.counts { self.counted.insert(slot) }
        let position = try member.position.map { stored throws(StateDamage) in try Self.position(from: stored) }
        if let stored = member.position { self.graph.stays[slot] = try Self.memberStay(from: stored) }
        switch member.standing {
        case .unknown: self.separate[slot] = position
        case .usable, .frozen:
            let placed = try member.countsAt.map { stored throws(StateDamage) in try Self.position(from: stored) }
            guard let place = placed ?? position else { throw StateDamage() }
            if placed != nil { self.separate[slot] = position }
            if member.standing == .usable { self.usable.insert(slot) } else { self.frozen.insert(slot) }
            self.graph.restore(slot, at: place, linkedSince: member.linkedSince?.moment)
        }
    }

    private static func position(from stored: GatheringState.Position) throws(StateDamage) -> MemberPosition {
        guard stored.accuracy.isFinite, stored.speed.isFinite else { throw StateDamage() }
        return MemberPosition(
            at: stored.at.moment,
            coordinate: try stored.place.coordinate(),
            accuracy: stored.accuracy,
            isStationary: stored.isStationary,
            speed: stored.speed,
            interval: stored.interval,
            rest: (coordinate: try stored.rest.place.coordinate(), since: stored.rest.since.moment),
            usableUntil: stored.usableUntil.moment,
            repeats: stored.repeats
        )
    }

    private static func memberStay(from stored: GatheringState.Position) throws(StateDamage) -> MemberStay {
        MemberStay(
            current: try Self.stay(from: stored.stay),
            past: try stored.longStay.map { stay throws(StateDamage) in try Self.stay(from: stay) },
            isBeyond: stored.isBeyondStay,
            isProven: stored.isStayProven ?? true
        )
    }

    private static func stay(from stored: GatheringState.Stay) throws(StateDamage) -> MemberStay.Stay {
        MemberStay.Stay(
            place: try stored.place.coordinate(),
            since: stored.since.moment,
            end: stored.until?.moment
        )
    }

    // MARK: Links

    /// The links in stored form.
    var storedClusters: [GatheringState.Cluster] {
        self.graph.clusters.map { cluster in
            var apart: [GatheringState.Pair] = []
            for slot in cluster {
                for other in cluster - self.graph.linked[slot] where other > slot {
                    if let pair = self.statePair(MemberPair(slot, other)) { apart.append(pair) }
                }
            }
            return GatheringState.Cluster(members: self.users(cluster), apart: apart)
        }
    }

    private func statePair(_ pair: MemberPair) -> GatheringState.Pair? {
        guard let one = self.roster.user(of: Int(pair.lower)), let other = self.roster.user(of: Int(pair.higher)) else {
            return nil
        }
        return GatheringState.Pair(one: one, other: other)
    }

    /// The stored form of a link that is closing or opening.
    func state(of passing: (pair: MemberPair, link: LinkState)) -> GatheringState.Transition? {
        guard let pair = self.statePair(passing.pair) else { return nil }
        switch passing.link {
        case .apart, .linked: return nil
        case .closing(let since, let lower, let higher, let isSettled):
            return GatheringState.Transition(
                pair: pair,
                opens: false,
                since: StoredMoment(since),
                fixes: [lower, higher],
                flag: isSettled
            )
        case .opening(let since, let fixes, let isLower):
            return GatheringState.Transition(
                pair: pair,
                opens: true,
                since: StoredMoment(since),
                fixes: [fixes],
                flag: isLower
            )
        }
    }

    /// The stored form of a pair's last meeting.
    func state(of parting: (pair: MemberPair, meeting: PairMeeting)) -> GatheringState.Parting? {
        self.statePair(parting.pair).map {
            GatheringState.Parting(
                pair: $0,
                onePlace: GatheringState.Place(parting.meeting.lower),
                otherPlace: GatheringState.Place(parting.meeting.higher),
                at: StoredMoment(parting.meeting.at),
                stayed: [parting.meeting.stayed.atLower, parting.meeting.stayed.atHigher]
            )
        }
    }

    /// Restores the links of a cluster.
    mutating func restore(_ cluster: GatheringState.Cluster) throws(StateDamage) {
        var slots: [Int] = []
        for user in cluster.members { slots.append(try self.storedSlot(of: user)) }
        var apart: Set<MemberPair> = []
        for pair in cluster.apart { apart.insert(try self.pair(from: pair).pair) }
        for (place, slot) in slots.enumerated() {
            for other in slots[..<place] where other == slot || !apart.contains(MemberPair(slot, other)) {
                try self.restoreLink(slot, other, .linked)
            }
        }
    }

    /// Restores a link that is closing or opening.
    mutating func restore(_ transition: GatheringState.Transition) throws(StateDamage) {
        let (pair, isSwapped) = try self.pair(from: transition.pair)
        guard let first = transition.fixes.first, let last = transition.fixes.last else { throw StateDamage() }
        let (lower, higher) = isSwapped ? (last, first) : (first, last)
        let link: LinkState =
            transition.opens
            ? .opening(since: transition.since.moment, fixes: min(first, 2), isLower: transition.flag != isSwapped)
            : .closing(
                since: transition.since.moment,
                lower: min(lower, 2),
                higher: min(higher, 2),
                isSettled: transition.flag
            )
        try self.restoreLink(Int(pair.lower), Int(pair.higher), link)
    }

    private mutating func restoreLink(_ one: Int, _ other: Int, _ state: LinkState) throws(StateDamage) {
        guard one != other, self.graph.placed.contains(one), self.graph.placed.contains(other) else {
            throw StateDamage()
        }
        self.graph.restore(MemberPair(one, other), state, at: self.instant)
    }

    /// Restores the last meeting of a pair.
    mutating func restore(_ parting: GatheringState.Parting) throws(StateDamage) {
        let (pair, isSwapped) = try self.pair(from: parting.pair)
        let (one, other) = (try parting.onePlace.coordinate(), try parting.otherPlace.coordinate())
        let (lower, higher) = isSwapped ? (other, one) : (one, other)
        var stays = [lower, higher].map {
            self.graph.stayed(pair, about: $0, at: parting.at.moment, settings: self.settings)
        }
        if let stored = parting.stayed, stored.count == 2 { stays = isSwapped ? stored.reversed() : stored }
        let meeting = PairMeeting(
            lower: lower,
            higher: higher,
            at: parting.at.moment,
            stayed: (stays[0], stays[1])
        )
        self.graph.restore(pair, meeting)
    }

    /// A stored pair, and whether its first member now has the higher slot.
    private func pair(from stored: GatheringState.Pair) throws(StateDamage) -> (pair: MemberPair, isSwapped: Bool) {
        let (one, other) = (try self.storedSlot(of: stored.one), try self.storedSlot(of: stored.other))
        guard one != other else { throw StateDamage() }
        return (MemberPair(one, other), one > other)
    }
}
