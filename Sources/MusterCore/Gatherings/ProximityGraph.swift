import MusterMath

// Who is linked with whom, and who is near whom, among the members that are placed: the usable ones and those frozen where
// they last were. Both relations are rows of bits, so clusters and absence are a few word operations. What else is known of a
// pair is in a flat table with one place for each pair.
//
// Near: not more than 1.5 R apart with accuracy credited, hence never more than 2 R apart. When a member moves, distances are
// computed to those who were near or linked and to those in the box of 2 R around the new place, and to nobody else.
//
// Invariants: rows are symmetric; rows and states of a member that is not placed are empty; every closing pair is near; the
// row of links agrees with the pair's state; every pair that time alone may change is listed.

/// Which members of a group are near each other and which are linked.
struct ProximityGraph: Sendable {
    /// The position of each slot; nil for one that is not placed.
    private(set) var positions: ContiguousArray<MemberPosition?> = []
    /// Who is placed.
    private(set) var placed = MemberSet()
    /// Those linked with each slot.
    private(set) var linked: ContiguousArray<MemberSet> = []
    /// Those near each slot.
    private(set) var near: ContiguousArray<MemberSet> = []
    /// Since when each slot has had any link.
    private(set) var linkedSince: ContiguousArray<Timestamp?> = []
    /// No later than the moment at which time alone changes a link; nil when only a fix does.
    private(set) var deadline: Timestamp?
    /// How many distances were computed, which is what a move costs.
    private(set) var distancesComputed = 0

    /// Rises whenever a link or nearness changes.
    private(set) var revision: UInt64 = 0
    /// Rises whenever a link changes, and with it the clusters.
    private(set) var linkRevision: UInt64 = 0
    /// Rises whenever a link begins to open.
    private(set) var openings: UInt64 = 0

    private var pairs: ContiguousArray<PairState> = []
    /// The pairs on their way, and some that were.
    private var listed: ContiguousArray<MemberPair> = []

    /// Makes room for a slot.
    mutating func grow(to count: Int) {
        while self.positions.count < count {
            self.pairs.append(contentsOf: repeatElement(PairState(), count: self.positions.count))
            self.positions.append(nil)
            self.linked.append(MemberSet())
            self.near.append(MemberSet())
            self.linkedSince.append(nil)
        }
    }

    /// Puts a member at a new position.
    mutating func move(_ slot: Int, to position: MemberPosition, radius: Double, at instant: Timestamp) {
        self.positions[slot] = position
        self.placed.insert(slot)
        let reach = 2 * radius / Coordinate.metresPerDegree * 1.000_1
        let edge = min(abs(position.point.coordinate.latitude) + reach, 90) * .pi / 180
        let shrinkage = cosine(edge)
        for other in self.placed where other != slot {
            guard let theirs = self.positions[other] else { continue }
            let isInBox =
                abs(theirs.point.coordinate.latitude - position.point.coordinate.latitude) <= reach
                && theirs.point.longitudeDifference(to: position.point) * shrinkage <= reach
            guard isInBox || self.near[slot].contains(other) || self.linked[slot].contains(other) else { continue }
            self.compare(slot, position, with: other, theirs, radius: radius, at: instant)
        }
    }

    /// Lets time go on.
    mutating func timePassed(to instant: Timestamp) {
        guard let deadline = self.deadline, deadline <= instant else { return }
        self.deadline = nil
        var kept = 0
        for place in self.listed.indices {
            let pair = self.listed[place]
            var link = self.pairs[pair.index].link
            link.timePassed(to: instant)
            self.set(link, of: pair, at: instant)
            if link.isPassing {
                self.listed[kept] = pair
                kept += 1
            } else {
                self.pairs[pair.index].isListed = false
            }
        }
        self.listed.removeSubrange(kept...)
    }

    /// Forgets where a member is, and all of their links.
    mutating func remove(_ slot: Int) {
        guard self.placed.contains(slot) else { return }
        self.placed.remove(slot)
        self.positions[slot] = nil
        for other in self.near[slot] | self.linked[slot] {
            self.unlink(slot, other)
            self.near[other].remove(slot)
        }
        for other in self.positions.indices where other != slot {
            self.pairs[MemberPair(slot, other).index].forget()
        }
        self.near[slot] = MemberSet()
    }

    /// Tells anew who is near whom, for another R; links follow with the next fixes.
    mutating func recompute(radius: Double) {
        for slot in self.placed {
            self.near[slot] = MemberSet()
        }
        for slot in self.placed {
            for other in self.placed where other > slot {
                guard let one = self.positions[slot], let two = self.positions[other] else { continue }
                let distance = self.measure(one, two)
                let pair = MemberPair(slot, other)
                self.setNear(slot, other, distance - one.credit(with: two, radius: radius) <= 1.5 * radius)
                if distance <= radius {
                    self.pairs[pair.index].meet(lower: one.point.coordinate, higher: two.point.coordinate)
                }
                // A closing pair that is no longer near is not closing any more.
                if !self.near[slot].contains(other), !self.pairs[pair.index].link.isLinked {
                    self.pairs[pair.index].link = .apart
                }
            }
        }
    }

    /// Where a member was when they were last within R of another; nil when they never were.
    func place(of slot: Int, within other: Int) -> Coordinate? {
        self.pairs[MemberPair(slot, other).index].place(ofLower: slot < other)
    }

    // MARK: Pairs

    private mutating func compare(
        _ slot: Int,
        _ position: MemberPosition,
        with other: Int,
        _ theirs: MemberPosition,
        radius: Double,
        at instant: Timestamp
    ) {
        let distance = self.measure(position, theirs)
        let credited = distance - position.credit(with: theirs, radius: radius)
        let isFar = credited > 1.5 * radius
        self.setNear(slot, other, !isFar)
        let pair = MemberPair(slot, other)
        let index = pair.index
        let isLower = slot < other
        let isWithin = distance <= radius
        if isWithin {
            let (mine, other) = (position.point.coordinate, theirs.point.coordinate)
            self.pairs[index].meet(lower: isLower ? mine : other, higher: isLower ? other : mine)
        }
        let before = self.pairs[index].link
        // The commonest by far: together, and nothing says otherwise.
        if !isFar, case .linked = before { return }
        var link = before
        let reading = LinkState.Reading(
            isLower: isLower,
            isWithin: isWithin,
            isBeyond: isFar && credited - position.drift(from: theirs) > 1.5 * radius,
            isSettled: position.hasSettled && theirs.hasSettled
        )
        link.fixed(reading, at: instant)
        if link != before { self.set(link, of: pair, at: instant) }
    }

    private mutating func measure(_ one: MemberPosition, _ other: MemberPosition) -> Double {
        self.distancesComputed += 1
        return one.point.distance(to: other.point)
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

    private mutating func set(_ link: LinkState, of pair: MemberPair, at instant: Timestamp) {
        let index = pair.index
        if case .opening = link, case .linked = self.pairs[index].link { self.openings += 1 }
        self.pairs[index].link = link
        if link.isPassing, !self.pairs[index].isListed {
            self.pairs[index].isListed = true
            self.listed.append(pair)
        }
        if let due = link.deadline { self.deadline = self.deadline.map { min($0, due) } ?? due }
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

    // MARK: Storage

    /// The pairs that are closing or opening, in order.
    var storedTransitions: [(pair: MemberPair, link: LinkState)] {
        self.listed.sorted().map { (pair: $0, link: self.pairs[$0.index].link) }.filter(\.link.isPassing)
    }

    /// The pairs that are linked though they are not where they were when they were last within R, in order.
    var storedPartings: [(pair: MemberPair, lower: Coordinate, higher: Coordinate)] {
        var partings: [(pair: MemberPair, lower: Coordinate, higher: Coordinate)] = []
        for slot in self.placed {
            for other in self.linked[slot] where other > slot {
                guard let lower = self.place(of: slot, within: other), let higher = self.place(of: other, within: slot),
                    let one = self.positions[slot]?.point.coordinate, let two = self.positions[other]?.point.coordinate
                else { continue }
                var current = PairState()
                current.meet(lower: one, higher: two)
                guard current.place(ofLower: true) != lower || current.place(ofLower: false) != higher else { continue }
                partings.append((MemberPair(slot, other), lower, higher))
            }
        }
        return partings
    }

    /// Puts a member where they were when the state was stored.
    mutating func restore(_ slot: Int, at position: MemberPosition, linkedSince: Timestamp?) {
        self.positions[slot] = position
        self.placed.insert(slot)
        self.linkedSince[slot] = linkedSince
    }

    /// Puts two members into the state they were in; both are placed.
    mutating func restore(_ pair: MemberPair, _ link: LinkState, at instant: Timestamp) {
        self.set(link, of: pair, at: instant)
    }

    /// Restores where two members were when they were last within R.
    mutating func restore(_ pair: MemberPair, lower: Coordinate, higher: Coordinate) {
        self.pairs[pair.index].meet(lower: lower, higher: higher)
    }
}
