import MusterMath

// Who is linked with whom, and who is near whom, among the members that are placed: the usable ones and those frozen where
// they last were. Both relations are rows of bits, so clusters and absence are a few word operations. A pair has a
// `LinkState` of its own only while it is closing or opening; otherwise its bit says it all.
//
// Near: not more than 1.5 R apart with accuracy credited, hence never more than 2 R apart. When a member moves, distances are
// computed to those who were near or linked and to those in the box of 2 R around the new place, and to nobody else.
//
// Invariants: rows are symmetric; rows and states of a member that is not placed are empty; every closing pair is near.

/// Which members of a group are near each other and which are linked.
struct ProximityGraph: Sendable {
    private struct Pair: Hashable {
        let lower: UInt8
        let higher: UInt8

        init(_ one: Int, _ other: Int) {
            self.lower = UInt8(min(one, other))
            self.higher = UInt8(max(one, other))
        }
    }

    /// The position of each slot; nil for one that is not placed.
    private(set) var positions: [MemberPosition?] = []
    /// Who is placed.
    private(set) var placed = MemberSet()
    /// Those linked with each slot.
    private(set) var linked: [MemberSet] = []
    /// Those near each slot.
    private(set) var near: [MemberSet] = []
    /// Since when each slot has had any link.
    private(set) var linkedSince: [Timestamp?] = []
    /// No later than the moment at which time alone changes a link; nil when only a fix does.
    private(set) var deadline: Timestamp?
    /// How many distances were computed, which is what a move costs.
    private(set) var distancesComputed = 0

    /// Rises whenever a link or nearness changes.
    private(set) var revision: UInt64 = 0

    private var transitions: [Pair: LinkState] = [:]

    /// Makes room for a slot.
    mutating func grow(to count: Int) {
        while self.positions.count < count {
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
        for (pair, state) in self.transitions {
            var state = state
            state.timePassed(to: instant)
            self.set(state, of: pair, at: instant)
        }
    }

    /// Forgets where a member is, and all of their links.
    mutating func remove(_ slot: Int) {
        guard self.placed.contains(slot) else { return }
        self.placed.remove(slot)
        self.positions[slot] = nil
        for other in self.near[slot] | self.linked[slot] {
            self.transitions[Pair(slot, other)] = nil
            self.unlink(slot, other)
            self.near[other].remove(slot)
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
                self.setNear(slot, other, distance - one.credit(with: two, radius: radius) <= 1.5 * radius)
            }
        }
        // A closing pair that is no longer near is not closing any more.
        self.transitions = self.transitions.filter { pair, state in
            state.isLinked || self.near[Int(pair.lower)].contains(Int(pair.higher))
        }
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
        self.setNear(slot, other, credited <= 1.5 * radius)
        let pair = Pair(slot, other)
        let before = self.state(of: pair)
        var state = before
        state.fixed(
            isLower: slot < other,
            isWithin: distance <= radius,
            isBeyond: credited - position.drift(from: theirs) > 1.5 * radius,
            at: instant
        )
        if state != before { self.set(state, of: pair, at: instant) }
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

    private func state(of pair: Pair) -> LinkState {
        if !self.transitions.isEmpty, let state = self.transitions[pair] { return state }
        return self.linked[Int(pair.lower)].contains(Int(pair.higher)) ? .linked : .apart
    }

    private mutating func set(_ state: LinkState, of pair: Pair, at instant: Timestamp) {
        let (lower, higher) = (Int(pair.lower), Int(pair.higher))
        switch state {
        case .apart, .linked:
            self.transitions[pair] = nil
        case .closing, .opening:
            self.transitions[pair] = state
            if let due = state.deadline { self.deadline = self.deadline.map { min($0, due) } ?? due }
        }
        if state.isLinked {
            guard !self.linked[lower].contains(higher) else { return }
            self.revision += 1
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
        self.linked[one].remove(other)
        self.linked[other].remove(one)
        for slot in [one, other] where self.linked[slot].isEmpty { self.linkedSince[slot] = nil }
    }

    // MARK: Clusters

    /// The clusters of at least two members.
    var clusters: [MemberSet] {
        var clusters: [MemberSet] = []
        var rest = self.placed
        while let start = rest.first {
            var cluster = MemberSet(start)
            var frontier = cluster
            while let slot = frontier.first {
                frontier.remove(slot)
                let new = self.linked[slot] - cluster
                cluster = cluster | new
                frontier = frontier | new
            }
            rest = rest - cluster
            if cluster.count >= 2 { clusters.append(cluster) }
        }
        return clusters
    }

    // MARK: Storage

    /// The pairs that are closing or opening, in order.
    var storedTransitions: [(lower: Int, higher: Int, state: LinkState)] {
        self.transitions
            .map { (lower: Int($0.key.lower), higher: Int($0.key.higher), state: $0.value) }
            .sorted { ($0.lower, $0.higher) < ($1.lower, $1.higher) }
    }

    /// Puts a member where they were when the state was stored.
    mutating func restore(_ slot: Int, at position: MemberPosition, linkedSince: Timestamp?) {
        self.positions[slot] = position
        self.placed.insert(slot)
        self.linkedSince[slot] = linkedSince
    }

    /// Puts two members into the state they were in; both are placed.
    mutating func restore(_ lower: Int, _ higher: Int, _ state: LinkState, at instant: Timestamp) {
        self.set(state, of: Pair(lower, higher), at: instant)
    }
}
