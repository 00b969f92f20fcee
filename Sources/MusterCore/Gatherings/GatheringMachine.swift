// The machine runs on its own time, `lag` behind the wall clock. It stops at every instant at which something is due:
// an observation, a link, the end of a member's usability, a phase. So its decisions and their instants do not depend
// on how often it is called. At each instant, in this order:
//
//   1. due observations move their members, which changes links and nearness (ProximityGraph);
//   2. members whose position is too old become unknown: frozen at their position if they are in the gathering's C,
//      removed from the graph otherwise; members who were not usable for 24 h leave S;
//   3. links whose 60 s are over close or open;
//   4. the phase is updated: C, A, candidate, begin, departures, the place, alerts, end (GatheringMachine+Phase).
//
// Terms of the rule (README.md): S = `counted`, K = `usable`, C = `cluster`, A = `absent`.
//
// Invariants: usable ⊆ counted ⊆ sharing; frozen ∩ usable = ∅; placed in the graph = usable ∪ frozen; frozen
// is empty unless the phase is `gathered`; after an instant nothing is due at it; `place` and `strayed` follow from the
// phase and the positions.
//
// A fix that changes no link, no nearness and nothing under observation costs the distances to all other members.
// The phase is not evaluated for it.

/// The state machine that decides for one group which members are together and which were left behind.
package struct GatheringMachine: Sendable {
    /// The delay in milliseconds between arrival and evaluation, in which observations are put in order.
    package static let lag: Int64 = 3000

    /// The default limit of instants that one call handles: an hour of a large group, where a call handles seconds.
    package static let instantBudget = 100_000

    /// A member of the group at the start of its machine.
    package struct Member: Sendable, Equatable {
        package var user: UserID
        package var isSharingLive: Bool
        /// The newest shown position, from storage or from memory.
        package var position: StoredPosition?

        /// Creates a member.
        package init(user: UserID, isSharingLive: Bool, position: StoredPosition? = nil) {
            self.user = user
            self.isSharingLive = isSharingLive
            self.position = position
        }
    }

    /// The slots of the members.
    var roster = MemberRoster()
    /// The machine's own time: everything due at or before it is decided.
    var instant: Timestamp
    /// A lower bound of the moment at which a member ceases to be usable or counted; never if there is none.
    var memberDeadline = Timestamp.never
    /// The moment at which the passage of time alone changes the phase; never if an input must come first.
    var phaseDeadline = Timestamp.never
    /// The guard against handling the same instant forever.
    package var progress = DeadlineProgress()
    /// The observations that are not applied yet.
    var queue = ObservationQueue()
    /// Whether the input of `updatePhase` may have changed.
    var needsPhaseUpdate = false
    /// Whether the stored state is out of date.
    var isStateChanged = false
    /// Whether the exact positions of members matter for the gathering, beyond links and nearness.
    var needsExactPositions = false
    /// Whether so many of C are far from the announced place that the gathering may have moved.
    private(set) var haveMostStrayed = false
    /// The trace entries since the last read; nil if tracing is off.
    package var trace: [GatheringTraceEntry]?
    /// The links, the nearness and the positions of members.
    var graph = ProximityGraph()

    /// The distance limit around the announced place of the gathering; nil unless the phase is `gathered`.
    var strayLimit: StrayLimit?
    /// The members so far from the announced place that, if most of C are, the median has left it.
    var strayed = MemberSet() {
        didSet { self.compareStrayed() }
    }
    /// The settings that the group's owner chose.
    package internal(set) var settings: GroupSettings
    /// The members who share `live`; others do not take part.
    var sharing = MemberSet()
    /// The members whose position is good enough to decide about.
    var usable = MemberSet() {
        didSet { self.compareStrayed() }
    }
    /// The absent members and those in doubt; nil while there is no cluster to be absent from.
    var absentees: AbsentMembers?
    /// The last positions of members who are not in the graph, or are at another position there.
    var separate = SeparatePositions()
    /// The members of the gathering who became unknown and count at their last position.
    var frozen = MemberSet()
    /// The members who were usable within 24 h.
    var counted = MemberSet()
    /// The phase of the group.
    var phase = GatheringPhase.scattered
    /// The recent alerts.
    var cooldown = AlertCooldown()
    /// The largest cluster, C.
    var cluster = MemberSet() {
        didSet { self.compareStrayed() }
    }
    /// The link revision of the graph from which `cluster` was computed.
    var clusterRevision: UInt64?
    /// Whether a member withdrew whose position the place may reveal.
    var mustReplacePlace = false
    /// The spots that give places their names; an owner of many machines sets them on each machine while it decides.
    package var spots = SpotIndex()
    /// The decisions of the current call.
    var events: [GatheringEvent] = []
    /// The limit of instants that one call handles.
    package var instantBudget = GatheringMachine.instantBudget
    /// Whether the last call was abandoned because it needed more instants than the budget.
    private(set) var isExhausted = false

    /// Creates the machine of a group that has no gathering.
    package init(settings: GroupSettings, members: [Member] = [], at now: Timestamp) {
        self.settings = settings
        self.instant = now - Self.lag
        self.reserve(members.count)
        for member in members { self.enrol(member) }
    }

    /// The members who were together at any time since the gathering began, by id.
    package var participants: [UserID] {
        guard case .gathered(let gathering) = self.phase else { return [] }
        return gathering.participants.sorted()
    }

    /// The status that a roster shows; nil while there is no gathering.
    package var status: GatheringStatus? {
        guard case .gathered(let gathering) = self.phase else { return nil }
        return gathering.status
    }

    // MARK: Input

    /// Accepts a position that the gate passed for gatherings.
    ///
    /// A later `evaluate` applies it.
    ///
    /// Positions taken before the member's last applied position are dropped.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - observation: the position.
    ///   - now: the time of arrival.
    ///   - place: the member's expected index in the list of initial members. The look-up is immediate if it is right,
    ///     and a search through all members otherwise.
    package mutating func observe(
        _ user: UserID,
        _ observation: GatheringObservation,
        receivedAt now: Timestamp,
        expectedAt place: Int = 0
    ) {
        if self.roster.holds(user, at: place), self.sharing.contains(place) {
            self.queue.insert(observation, of: place, receivedAt: now, lag: Self.lag)
        } else if let slot = self.roster.slot(of: user), self.sharing.contains(slot) {
            self.queue.insert(observation, of: slot, receivedAt: now, lag: Self.lag)
        }
    }

    /// Applies a change to the group at `now`, after everything due before it.
    ///
    /// Returns the decisions of both.
    ///
    /// If the machine is then `isExhausted`, the change is not applied.
    package mutating func apply(
        _ change: GatheringChange,
        at now: Timestamp,
        identifiers: inout IdentifierGenerator
    ) -> [GatheringEvent] {
        self.advance(to: now - Self.lag, identifiers: &identifiers)
        guard !self.isExhausted else { return self.drainEvents() }
        let mark = self.traceMark
        defer { self.noteChanges(since: mark) }
        self.accept(change)
        self.updatePhase(identifiers: &identifiers)
        return self.drainEvents()
    }

    /// Stores a change to the group without deciding anything.
    mutating func accept(_ change: GatheringChange) {
        switch change {
        case .memberJoined(let user, let isSharingLive):
            self.enrol(Member(user: user, isSharingLive: isSharingLive))
        case .memberLeft(let user):
            self.dismiss(user)
        case .sharingChanged(let user, let isLive):
            guard let slot = self.roster.slot(of: user), self.sharing.contains(slot) != isLive else { break }
            if !isLive { self.forget(slot) }
            self.setSharing(isLive, of: slot)
        case .settingsChanged(let settings):
            let isRadiusChanged = settings.radius != self.settings.radius
            self.settings = settings
            if isRadiusChanged { self.graph.recompute(settings: settings) }
            self.strayLimit = self.strayLimit.map { StrayLimit(around: $0.place, settings: settings) }
            self.findStrayed()
            self.needsPhaseUpdate = true
        }
    }

    /// Decides everything due up to `now`, each decision at its own instant.
    package mutating func evaluate(at now: Timestamp, identifiers: inout IdentifierGenerator) -> [GatheringEvent] {
        self.advance(to: now - Self.lag, identifiers: &identifiers)
        return self.drainEvents()
    }

    /// The earliest moment at which `evaluate` may have something to do; nil if only an observation can change
    /// something.
    ///
    /// It may be early, never late.
    package var nextDeadline: Timestamp? {
        let next = self.nextInstant
        return next == .never ? nil : next + Self.lag
    }

    // MARK: Time

    // Inlined, because a call would copy the whole machine.
    @inline(__always)
    private var nextInstant: Timestamp {
        self.needsPhaseUpdate
            ? max(self.instant, self.progress.resumption)
            : min(self.queue.deadline, max(self.deadlineOfTime, self.progress.resumption))
    }

    /// The moment at which the passage of time alone changes something.
    @inline(__always)
    private var deadlineOfTime: Timestamp { min(self.memberDeadline, min(self.graph.deadline, self.phaseDeadline)) }

    private mutating func advance(to target: Timestamp, identifiers: inout IdentifierGenerator) {
        self.isExhausted = false
        var next = self.nextInstant
        var handled = 0
        while next <= target {
            // Hardly any call reaches this limit, so only such a call pays for a copy of the machine.
            guard handled < self.instantBudget / 100 else {
                return self.advanceWarily(from: next, to: target, after: handled, identifiers: &identifiers)
            }
            handled += 1
            next = self.handle(next, identifiers: &identifiers)
        }
        self.instant = max(self.instant, target)
    }

    /// Continues `advance`; restores the machine as it was if the budget of instants is exceeded.
    @inline(never)
    private mutating func advanceWarily(
        from first: Timestamp,
        to target: Timestamp,
        after handled: Int,
        identifiers: inout IdentifierGenerator
    ) {
        let before = self
        var next = first
        for _ in handled..<max(handled, self.instantBudget) {
            next = self.handle(next, identifiers: &identifiers)
            guard next <= target else {
                self.instant = max(self.instant, target)
                return
            }
        }
        self = before
        self.isExhausted = true
    }

    /// Handles an instant and returns the next one, which is later.
    @inline(__always)
    private mutating func handle(_ next: Timestamp, identifiers: inout IdentifierGenerator) -> Timestamp {
        self.instant = max(self.instant, next)
        let handled = self.instant
        self.step(identifiers: &identifiers)
        return self.progress.next(self.nextInstant, after: handled)
    }

    private mutating func step(identifiers: inout IdentifierGenerator) {
        // Inlined by hand: a call would copy the whole machine.
        let mark = self.trace == nil ? nil : self.traceMark
        defer { self.noteChanges(since: mark) }
        while let entry = self.queue.popDue(by: self.instant) {
            self.apply(entry.observation, of: entry.slot)
        }
        self.expireMembers()
        if self.graph.deadline <= self.instant {
            self.graph.timePassed(to: self.instant)
            self.needsPhaseUpdate = true
        }
        self.updatePhase(identifiers: &identifiers)
        // After the place moved, the distances to it have to be evaluated again.
        if self.needsPhaseUpdate { self.updatePhase(identifiers: &identifiers) }
    }

    mutating func drainEvents() -> [GatheringEvent] {
        guard self.isStateChanged else { return [] }
        self.isStateChanged = false
        self.events.append(.stateChanged)
        defer { self.events = [] }
        return self.events
    }

    private mutating func compareStrayed() {
        // Unknown members do not move the place.
        self.haveMostStrayed =
            !self.strayed.isEmpty
            && 2 * (self.strayed & self.cluster & self.usable).count >= (self.cluster & self.usable).count
    }
}
