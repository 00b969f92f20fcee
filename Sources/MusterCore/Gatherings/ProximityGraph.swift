import MusterMath

// The links and the nearness of the placed members: the usable ones, and those frozen at their last position. Both
// relations are rows of bits, so clusters and absence take a few word operations. Other data of a pair is stored only
// where there is any: the progress of a closing or an opening, and both positions when the pair was last within R, if
// it is not now. For a pair within R, these are the current positions.
//
// Near: at most R apart after accuracy credit, hence never more than 1.5 R apart. When a member moves, `ProximityField`
// finds the pairs that are unchanged, and only the others are compared. The field is not valid close to the poles.
// There the member is compared with near and linked members, and with those in the box of 1.5 R around the new place.
//
// Invariants:
// - Rows are symmetric. Rows of a member that is not placed are empty, and there is no other data of their pairs.
// - Every closing pair is near. The row of links agrees with the pair's state.
// - Every pair that time alone may change is listed. `passing` holds exactly the listed pairs.
// - The pair state in the field follows from the link and the last comparison, and since then both have only moved
//   within it.
// - The safe zone of a member lies within their stay, except for escaped members (`escaped`).

/// The graph of members who are near each other or linked.
struct ProximityGraph: Sendable {
    /// The position of each slot; undefined for a slot that is not placed.
    var places: ContiguousArray<MemberPosition> = []
    var field = ProximityField()
    /// A lower bound of the moment at which time alone changes a link; never if only a fix does.
    private(set) var deadline = Timestamp.never
    /// A counter that increases with each change of a link or of nearness.
    private(set) var revision: UInt64 = 0
    /// A counter that increases with each change of a link, and with it of the clusters.
    private(set) var linkRevision: UInt64 = 0
    /// A counter that increases when a link begins to open.
    private(set) var openings: UInt64 = 0
    /// The number of distances that were computed one by one.
    private(set) var distancesComputed = 0

    /// The placed members.
    var placed = MemberSet()
    /// The members linked with each slot.
    private(set) var linked = MemberSetRows()
    /// The members near each slot.
    private(set) var near = MemberSetRows()
    /// The moment since which each slot has had any link.
    var linkedSince: ContiguousArray<Timestamp?> = []
    /// The pairs that are closing or opening, and some that no longer are, in the order in which they began.
    private(set) var listed: ContiguousArray<MemberPair> = []
    /// The link states of the listed pairs.
    private var passing = PairTable<LinkState>()
    /// The last meetings of pairs that are no longer within R.
    var meetings = PairTable<PairMeeting>()
    /// The stay of each slot; undefined for a member without a known position.
    var stays: ContiguousArray<MemberStay> = []
    /// The escaped members: their safe zone may extend beyond their stay, so each fix is passed to the stay.
    var escaped = MemberSet()

    /// Increases the capacity to a number of slots.
    mutating func grow(to count: Int) {
        guard count > self.places.count else { return }
        let nobody = MemberPosition(
            at: Timestamp(milliseconds: 0),
            coordinate: Coordinate(latitude: 0, longitude: 0),
            accuracy: 0,
            isStationary: false,
            speed: 0
        )
        self.places.reserveCapacity(count)
        self.places.append(contentsOf: repeatElement(nobody, count: count - self.places.count))
        let nowhere = MemberStay(nobody.coordinate, at: nobody.at)
        self.stays.reserveCapacity(count)
        self.stays.append(contentsOf: repeatElement(nowhere, count: count - self.stays.count))
        self.field.grow(to: count)
        self.linked.grow(to: count)
        self.near.grow(to: count)
        self.linkedSince.append(contentsOf: repeatElement(nil, count: count - self.linkedSince.count))
    }

    /// The position of each slot; nil for one that is not placed.
    var positions: Positions { Positions(places: self.places, placed: self.placed) }

    /// Positions by slot.
    struct Positions {
        fileprivate let places: ContiguousArray<MemberPosition>
        fileprivate let placed: MemberSet

        subscript(slot: Int) -> MemberPosition? { self.placed.contains(slot) ? self.places[slot] : nil }
    }

    /// Moves a member to a new position; `isNew` says whether it is a separate fix, or one delivered again.
    mutating func move(
        _ slot: Int,
        to position: MemberPosition,
        isNew: Bool = true,
        settings: GroupSettings,
        at instant: Timestamp
    ) {
        let before = self.positions[slot]
        self.places[slot] = position
        self.placed.insert(slot)
        let outlook = ProximityField.Outlook(CoarsePoint(position.coordinate), accuracy: position.accuracy)
        self.field.use(radius: settings.radius)
        self.field.place(slot, at: outlook)
        self.compare(slot, at: outlook, from: before, isNew: isNew, settings: settings, at: instant)
    }

    /// Extends the usability of a member's position.
    mutating func extendUsability(of slot: Int, until: Timestamp) {
        self.places[slot].extendUsability(until: until)
    }

    /// Updates the links whose deadlines have passed.
    mutating func timePassed(to instant: Timestamp) {
        guard self.deadline <= instant else { return }
        self.deadline = .never
        var kept = 0
        for place in self.listed.indices {
            let pair = self.listed[place]
            guard var link = self.passing[pair] else { preconditionFailure("a listed pair is passing") }
            link.timePassed(to: instant)
            self.set(link, of: pair, at: instant)
            if link.isPassing {
                self.listed[kept] = pair
                kept += 1
            } else {
                self.passing[pair] = nil
            }
            self.note(pair, link, isWithin: self.isWithin(pair))
        }
        self.listed.removeSubrange(kept...)
    }

    /// Removes a member's position and links.
    mutating func remove(_ slot: Int) {
        guard self.placed.contains(slot) else { return }
        self.placed.remove(slot)
        for other in self.near[slot] | self.linked[slot] {
            self.unlink(slot, other)
            self.near[other].remove(slot)
        }
        if !self.passing.isEmpty || !self.meetings.isEmpty {
            for other in self.places.indices where other != slot {
                let pair = MemberPair(slot, other)
                if self.passing[pair] != nil { self.passing[pair] = .apart }
                self.meetings[pair] = nil
            }
        }
        self.near[slot] = MemberSet()
        self.field.remove(slot)
    }

    /// Computes nearness again for another R; links follow with the next fixes.
    mutating func recompute(settings: GroupSettings) {
        self.field.use(radius: settings.radius)
        for slot in self.placed {
            self.near[slot] = MemberSet()
            self.field.place(slot, at: self.places[slot].outlook)
        }
        for slot in self.placed {
            for other in self.placed where other > slot {
                let (one, two) = (self.places[slot], self.places[other])
                let distance = self.measure(one.point, two.point)
                let radius = one.radius(with: two, in: settings.radius)
                let pair = MemberPair(slot, other)
                self.setNear(slot, other, distance - one.credit(with: two, radius: radius) <= radius)
                // A closing pair that is no longer near is no longer closing.
                if !self.near[slot].contains(other), !self.link(of: pair).isLinked, self.passing[pair] != nil {
                    self.passing[pair] = .apart
                }
                if distance > radius, self.isWithin(pair) {
                    self.meetings[pair] = self.meeting(of: pair, settings: settings)
                }
                self.note(pair, self.link(of: pair), isWithin: distance <= radius)
            }
        }
    }

    /// Removes the safe zones of some members, so that their next fixes are compared with all others.
    mutating func clearZones(of members: MemberSet) {
        for slot in members where self.field.hasZone(slot) { self.field.place(slot, at: self.places[slot].outlook) }
    }

    // MARK: Pairs

    /// Compares a member with the others whose relation may have changed; `before` is the previous position, if the
    /// member was placed.
    private mutating func compare(
        _ slot: Int,
        at outlook: ProximityField.Outlook,
        from before: MemberPosition?,
        isNew: Bool,
        settings: GroupSettings,
        at instant: Timestamp
    ) {
        let others =
            outlook.isCertain
            ? self.field.changed(around: slot, at: outlook) : self.neighbours(of: slot, radius: settings.radius)
        // After a change, any fix of either may matter; and where the field is not valid, zones are not either.
        self.clearZones(of: outlook.isCertain ? others : self.placed)
        for other in others where other != slot {
            let pair = MemberPair(slot, other)
            let link = self.link(of: pair)
            let seen = self.see(other, from: slot, at: outlook, link: link, radius: settings.radius, at: instant)
            self.setNear(slot, other, seen.isNear)
            if !seen.isWithin, let before, self.isWithin(pair) {
                let theirs = self.places[other]
                let (lower, higher) = slot < other ? (before, theirs) : (theirs, before)
                self.meetings[pair] = self.meeting(of: pair, lower, higher, settings: settings)
            }
            var next = link
            // By far the most common case: linked and near, so the link is unchanged.
            if !seen.isNear || link != .linked {
                let sample = LinkState.Sample(
                    isLower: slot < other,
                    isWithin: seen.isWithin,
                    isBeyond: seen.isBeyond,
                    isInformative: seen.isKept || self.places[slot].isInformative(of: self.places[other], at: instant),
                    isSettled: self.places[slot].hasSettled && self.places[other].hasSettled,
                    isOwnerSettled: self.places[slot].hasSettled,
                    isNew: isNew
                )
                next.fixed(sample, at: instant)
                if next != link { self.set(next, of: pair, at: instant) }
            }
            self.note(pair, next, isWithin: seen.isWithin)
        }
    }

    /// The relation of two members.
    private struct PairDistance {
        /// Whether they are within R.
        var isWithin: Bool
        /// Whether they are within R after accuracy credit.
        var isNear: Bool
        /// Whether they are within 1.5 R after accuracy credit, which keeps a link.
        var isKept: Bool
        /// Whether they are beyond 1.5 R after accuracy and movement credit; for pairs that are not linked, whether
        /// they are not near.
        var isBeyond: Bool
    }

    /// Evaluates the relation of two members.
    private mutating func see(
        _ other: Int,
        from slot: Int,
        at outlook: ProximityField.Outlook,
        link: LinkState,
        radius: Double,
        at instant: Timestamp
    ) -> PairDistance {
        if outlook.isCertain {
            switch self.field.count(from: outlook, to: other) {
            case -4: return PairDistance(isWithin: true, isNear: true, isKept: true, isBeyond: false)
            case -2: return PairDistance(isWithin: false, isNear: true, isKept: true, isBeyond: false)
            // Whether they are beyond 1.5 R only matters for linked members.
            case 0 where !link.isLinked:
                return PairDistance(isWithin: false, isNear: false, isKept: false, isBeyond: true)
            default: break
            }
        }
        let (mine, theirs) = (self.places[slot], self.places[other])
        let distance = self.measure(mine.point, theirs.point)
        let limit = mine.radius(with: theirs, in: radius)
        let credited = distance - mine.credit(with: theirs, radius: limit)
        let isKept = credited <= 1.5 * limit
        return PairDistance(
            isWithin: distance <= limit,
            isNear: credited <= limit,
            isKept: isKept,
            isBeyond: !isKept && credited - mine.drift(from: theirs, at: instant) > 1.5 * limit
        )
    }

    /// The members whose relation to a member may have changed, found by a box around the member.
    private func neighbours(of slot: Int, radius: Double) -> MemberSet {
        let place = self.places[slot].coordinate
        let reach = 1.5 * max(radius, PairRadius.limit) / Coordinate.metresPerDegree * 1.000_1
        let edge = min(abs(place.latitude) + reach, 90) * .pi / 180
        let shrinkage = cosine(edge)
        var neighbours = self.near[slot] | self.linked[slot]
        for other in self.placed where other != slot {
            let theirs = self.places[other].coordinate
            if abs(theirs.latitude - place.latitude) <= reach,
                theirs.longitudeDifference(to: place) * shrinkage <= reach
            {
                neighbours.insert(other)
            }
        }
        return neighbours
    }

    private mutating func measure(_ one: LocalPoint, _ other: LocalPoint) -> Double {
        self.distancesComputed += 1
        return one.distance(to: other)
    }

    func link(of pair: MemberPair) -> LinkState {
        self.passing[pair] ?? (self.linked[Int(pair.lower)].contains(Int(pair.higher)) ? .linked : .apart)
    }

    func isWithin(_ pair: MemberPair) -> Bool {
        self.field.pairState(Int(pair.lower), Int(pair.higher)).isWithin
    }

    /// Stores the pair state for later comparisons.
    private mutating func note(_ pair: MemberPair, _ link: LinkState, isWithin: Bool) {
        let (lower, higher) = (Int(pair.lower), Int(pair.higher))
        let isNear = self.near[lower].contains(higher)
        let isUnchanged =
            switch link {
            case .apart: !isWithin
            case .linked: isNear
            case .closing, .opening: false
            }
        let pairState: PairState =
            if isUnchanged {
                isWithin ? .within : isNear ? .between : .far
            } else {
                isWithin ? .unstableWithin : .unstable
            }
        self.field.set(pairState, lower, higher)
    }

    private mutating func setNear(_ one: Int, _ other: Int, _ isNear: Bool) {
        guard isNear != self.near[one].contains(other) else { return }
        self.revision += 1
        if isNear {
            self.near[one].insert(other)
            self.near[other].insert(one)
        } else {
            self.near[one].remove(other)
            self.near[other].remove(one)
        }
    }

    mutating func set(_ link: LinkState, of pair: MemberPair, at instant: Timestamp) {
        if case .opening = link, self.link(of: pair) == .linked { self.openings += 1 }
        if self.passing[pair] != nil {
            self.passing[pair] = link
        } else if link.isPassing {
            self.passing[pair] = link
            self.listed.append(pair)
        }
        if let due = link.deadline { self.deadline = min(self.deadline, due) }
        let (lower, higher) = (Int(pair.lower), Int(pair.higher))
        if link.isLinked {
            guard !self.linked[lower].contains(higher) else { return }
            self.revision += 1
            self.linkRevision += 1
            self.linked[lower].insert(higher)
            self.linked[higher].insert(lower)
            for slot in [lower, higher] where self.linkedSince[slot] == nil { self.linkedSince[slot] = instant }
        } else {
            self.unlink(lower, higher)
        }
    }

    private mutating func unlink(_ one: Int, _ other: Int) {
        guard self.linked[one].contains(other) else { return }
        self.revision += 1
        self.linkRevision += 1
        self.linked[one].remove(other)
        self.linked[other].remove(one)
        if self.linked[one].isEmpty { self.linkedSince[one] = nil }
        if self.linked[other].isEmpty { self.linkedSince[other] = nil }
    }
}
