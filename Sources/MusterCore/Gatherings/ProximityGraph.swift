// The links and the nearness of the placed members: the usable ones, and those frozen at their last position. Both
// relations are rows of bits, so clusters and absence take a few word operations. Other data of a pair is stored only
// where there is any: the progress of a closing or an opening, and both positions when the pair was last within R, if
// it is not now. For a pair within R, these are the current positions.
//
// Near: at most R apart after accuracy credit, hence never more than 1.5 R apart. A member who moves is compared with
// all others: a group has at most 256 members, and a comparison costs a square root.
//
// Invariants:
// - Rows are symmetric. Rows of a member that is not placed are empty, and there is no other data of their pairs.
// - Every closing pair is near. The row of links agrees with the pair's state.
// - Every pair that time alone may change is listed. `passing` holds exactly the listed pairs.

/// The graph of members who are near each other or linked.
struct ProximityGraph: Sendable {
    /// The position of each slot; undefined for a slot that is not placed.
    private(set) var places: ContiguousArray<MemberPosition> = []
    /// The place of each slot, prepared for distances.
    private var points: ContiguousArray<LocalPoint> = []
    /// A lower bound of the moment at which time alone changes a link; never if only a fix does.
    private(set) var deadline = Timestamp.never
    /// A counter that increases with each change of a link or of nearness.
    private(set) var revision: UInt64 = 0
    /// A counter that increases with each change of a link, and with it of the clusters.
    private(set) var linkRevision: UInt64 = 0
    /// A counter that increases when a link begins to open.
    private(set) var openings: UInt64 = 0
    /// The placed members.
    var placed = MemberSet()
    /// The members linked with each slot.
    private(set) var linked = MemberSetRows()
    /// The members near each slot.
    private(set) var near = MemberSetRows()
    /// The members within R of each slot.
    private var within = MemberSetRows()
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
        self.points.reserveCapacity(count)
        self.points.append(contentsOf: repeatElement(nobody.point, count: count - self.points.count))
        let nowhere = MemberStay(nobody.coordinate, at: nobody.at)
        self.stays.reserveCapacity(count)
        self.stays.append(contentsOf: repeatElement(nowhere, count: count - self.stays.count))
        self.linked.grow(to: count)
        self.near.grow(to: count)
        self.within.grow(to: count)
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
        let before = self.placed.contains(slot) ? self.places[slot] : nil
        self.place(slot, at: position)
        self.compare(slot, from: before, isNew: isNew, settings: settings, at: instant)
    }

    /// Places a member without comparing them with others.
    mutating func place(_ slot: Int, at position: MemberPosition) {
        self.places[slot] = position
        self.points[slot] = position.point
        self.placed.insert(slot)
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
        }
        self.listed.removeSubrange(kept...)
    }

    /// Removes a member's position and links.
    mutating func remove(_ slot: Int) {
        guard self.placed.contains(slot) else { return }
        self.placed.remove(slot)
        for other in self.near[slot] | self.linked[slot] | self.within[slot] {
            self.unlink(slot, other)
            self.near[other].remove(slot)
            self.within[other].remove(slot)
        }
        if !self.passing.isEmpty || !self.meetings.isEmpty {
            for other in self.places.indices where other != slot {
                let pair = MemberPair(slot, other)
                if self.passing[pair] != nil { self.passing[pair] = .apart }
                self.meetings[pair] = nil
            }
        }
        self.near[slot] = MemberSet()
        self.within[slot] = MemberSet()
    }

    /// Computes nearness again for another R; links follow with the next fixes.
    mutating func recompute(settings: GroupSettings) {
        for slot in self.placed { self.near[slot] = MemberSet() }
        for slot in self.placed {
            let one = self.places[slot]
            for other in self.placed where other > slot {
                let two = self.places[other]
                let distance = self.points[slot].distance(to: self.points[other])
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
                self.setWithin(slot, other, distance <= radius)
            }
        }
    }

    // MARK: Pairs

    /// Compares a member with all others; `before` is the previous position, if the member was placed.
    private mutating func compare(
        _ slot: Int,
        from before: MemberPosition?,
        isNew: Bool,
        settings: GroupSettings,
        at instant: Timestamp
    ) {
        let (mine, point) = (self.places[slot], self.points[slot])
        for other in self.placed where other != slot {
            let theirs = self.places[other]
            let distance = point.distance(to: self.points[other])
            let radius = mine.radius(with: theirs, in: settings.radius)
            let credited = distance - mine.credit(with: theirs, radius: radius)
            let (isWithin, isNear) = (distance <= radius, credited <= radius)
            let pair = MemberPair(slot, other)
            let link = self.link(of: pair)
            self.setNear(slot, other, isNear)
            if !isWithin, let before, self.isWithin(pair) {
                let (lower, higher) = slot < other ? (before, theirs) : (theirs, before)
                self.meetings[pair] = self.meeting(of: pair, lower, higher, settings: settings)
            }
            self.setWithin(slot, other, isWithin)
            // By far the most common cases: linked and near, or apart and beyond R.
            if link == .linked && isNear || link == .apart && !isWithin { continue }
            let isKept = credited <= 1.5 * radius
            let sample = LinkState.Sample(
                isLower: slot < other,
                isWithin: isWithin,
                isBeyond: !isKept && credited - mine.drift(from: theirs, at: instant) > 1.5 * radius,
                isInformative: isKept || mine.isInformative(of: theirs, at: instant),
                isSettled: mine.hasSettled && theirs.hasSettled,
                isOwnerSettled: mine.hasSettled,
                isNew: isNew
            )
            var next = link
            next.fixed(sample, at: instant)
            if next != link { self.set(next, of: pair, at: instant) }
        }
    }

    func link(of pair: MemberPair) -> LinkState {
        self.passing[pair] ?? (self.linked[Int(pair.lower)].contains(Int(pair.higher)) ? .linked : .apart)
    }

    func isWithin(_ pair: MemberPair) -> Bool { self.within[Int(pair.lower)].contains(Int(pair.higher)) }

    private mutating func setWithin(_ one: Int, _ other: Int, _ isWithin: Bool) {
        guard isWithin != self.within[one].contains(other) else { return }
        if isWithin {
            self.within[one].insert(other)
            self.within[other].insert(one)
        } else {
            self.within[one].remove(other)
            self.within[other].remove(one)
        }
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
