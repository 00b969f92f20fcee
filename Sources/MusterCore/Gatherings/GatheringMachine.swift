// The machine runs on its own time, `lag` behind the wall's clock, and stops at every instant at which something is due: an
// observation, a link, the end of somebody's usability, a phase. So it decides the same things at the same instants however
// often it is asked. At each instant, in this order:
//
//   1. observations that are due move their members, which changes links and who is near whom (ProximityGraph);
//   2. members whose position is too old become unknown: frozen where they are when they are in the gathering's C, forgotten
//      otherwise; those who were not usable for 24 h leave S;
//   3. links whose 60 s are over close or open;
//   4. the phase settles: C, A, candidate, begin, who left whom, the place, alerts, end (GatheringMachine+Phase).
//
// Words of the rule (README.md): S = `counted`, K = `usable`, C = `cluster`, A = `absent`.
//
// Invariants: movers ⊆ usable ⊆ counted ⊆ sharing; frozen ∩ usable = ∅; placed in the graph = usable ∪ frozen; frozen is empty while nothing
// is gathered; an instant leaves nothing due at it; `place` and `strayed` follow from the phase and the positions.
//
// A fix that changes no link, nobody's nearness and nothing that is being watched costs its neighbours' distances, and no
// look at the phase.

/// Decides for one group who is together, and whom they left behind.
package struct GatheringMachine: Sendable {
    /// How far behind arrival observations are evaluated, in milliseconds, so that they can be put in order.
    package static let lag: Int64 = 3000

    /// The most instants that one call decides about, unless another number is set: a day of a large group has fewer.
    package static let instantBudget = 100_000

    /// One who is in the group when its machine starts.
    package struct Member: Sendable, Equatable {
        package var user: UserID
        package var isSharingLive: Bool
        /// Their newest shown position, from storage or from memory.
        package var position: StoredPosition?

        /// Creates a member.
        package init(user: UserID, isSharingLive: Bool, position: StoredPosition? = nil) {
            self.user = user
            self.isSharingLive = isSharingLive
            self.position = position
        }
    }

    // What a fix touches that changes nothing but where its member is lies together, from the roster to the head of the graph:
    // most of a tick's time is the way of memory to it.

    /// Who has which slot.
    var roster = MemberRoster()
    /// The machine's own time: everything due up to and including it is decided.
    var instant: Timestamp
    /// No later than the moment at which a member ceases to be usable or counted; never when none is.
    var memberDeadline = Timestamp.never
    /// When time alone moves the phase on; never when something must happen first.
    var phaseDeadline = Timestamp.never
    /// Ensures that no instant is handled for ever.
    package var progress = DeadlineProgress()
    /// What waits to be applied.
    var queue = ObservationQueue()
    /// Whether something may have changed that `settle` looks at.
    var needsSettling = false
    /// Whether something changed that is worth storing.
    var isStateChanged = false
    /// Whether it matters for the gathering where exactly members are, beyond links and nearness.
    var isWatching = false
    /// Whether enough of C are far from where the gathering is said to be for it to be elsewhere.
    private(set) var haveMostStrayed = false
    /// Why, as far as it was not taken yet; nil when nobody asks.
    package var trace: [GatheringTraceEntry]?
    /// Those whose fixes may be no more than moves: usable, where the graph has them, and not in doubt; of those in doubt each
    /// fix may be the one that proves it.
    private(set) var movers = MemberSet()
    /// Who is near and linked with whom, and where they are.
    var graph = ProximityGraph()

    /// How far from where the gathering is said to be is far; nil while nothing is gathered.
    var strayLimit: StrayLimit? {
        // Nobody in a yard strays or comes back.
        didSet { self.graph.clearYards(of: self.graph.placed) }
    }
    /// Those so far from where the gathering is said to be that the median of a group of such is not there any more.
    var strayed = MemberSet() {
        didSet { self.compareStrayed() }
    }
    /// The numbers that the group's owner chose.
    package internal(set) var settings: GroupSettings
    /// Those who share `live`; others take no part.
    var sharing = MemberSet()
    /// Those whose position is good enough to decide about.
    var usable = MemberSet() {
        didSet {
            self.findMovers()
            self.compareStrayed()
        }
    }
    /// Who is absent, and of whom it is in doubt; nil while there is nothing to be absent from.
    var absentees: AbsentMembers? {
        didSet { self.findMovers() }
    }
    /// The last position of members who are not where the graph has them, or whom it does not have.
    var separate = SeparatePositions() {
        didSet { self.findMovers() }
    }
    /// Those of the gathering who became unknown and count where they last were.
    var frozen = MemberSet()
    /// Those who were usable within 24 h.
    var counted = MemberSet()
    /// Where the group stands.
    var phase = GatheringPhase.scattered
    /// Who was alerted lately.
    var cooldown = AlertCooldown()
    /// The largest cluster.
    var cluster = MemberSet() {
        didSet { self.compareStrayed() }
    }
    /// The graph's links of which `cluster` is the largest cluster.
    var clusterRevision: UInt64?
    /// Whether somebody withdrew from whose position the place may be.
    var mustReplacePlace = false
    /// What places are called; whoever holds many machines lends each of them the spots for as long as it decides.
    package var spots = SpotIndex()
    /// What was decided in this call.
    var events: [GatheringEvent] = []
    /// The most instants that one call decides about.
    package var instantBudget = GatheringMachine.instantBudget
    /// Whether the last call was given up, because it took more instants than that.
    package private(set) var isExhausted = false

    /// Creates the machine of a group that has no gathering.
    package init(settings: GroupSettings, members: [Member] = [], at now: Timestamp) {
        self.settings = settings
        self.instant = now - Self.lag
        self.reserve(members.count)
        for member in members { self.enrol(member) }
    }

    /// Everybody who was together at any time since the gathering began, by id.
    package var participants: [UserID] {
        guard case .gathered(let gathering) = self.phase else { return [] }
        return gathering.participants.sorted()
    }

    /// What a roster shows; nil while there is no gathering.
    package var status: GatheringStatus? {
        guard case .gathered(let gathering) = self.phase else { return nil }
        return gathering.status
    }

    /// How many distances were computed one by one so far; most are told many at once, and only as far as they matter.
    package var distancesComputed: Int { self.graph.distancesComputed }

    // MARK: Input

    /// Takes in a position that the gate lets drive gatherings; it is decided about by a later `evaluate`.
    ///
    /// What was taken before the member's last position that is already decided about is dropped.
    ///
    /// - Parameters:
    ///   - user: whose position it is.
    ///   - observation: the position.
    ///   - now: when it arrived.
    ///   - place: where the member is in the list of those who were there from the beginning, as far as the caller
    ///     knows: they are found there at once, and elsewhere by looking at all.
    package mutating func observe(
        _ user: UserID,
        _ observation: GatheringObservation,
        receivedAt now: Timestamp,
        expectedAt place: Int = 0
    ) {
        // Whoever is usable is enrolled and shares.
        if self.roster.holds(user, at: place), self.movers.contains(place) {
            self.queue.insert(observation, of: place, receivedAt: now, lag: Self.lag)
        } else if let slot = self.roster.slot(of: user), self.sharing.contains(slot) {
            self.queue.insert(observation, of: slot, receivedAt: now, lag: Self.lag)
        }
    }

    /// Applies a change to the group at `now`, after everything that fell due before; returns what both decided.
    ///
    /// When it `isExhausted`, the change is not applied.
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
        self.settle(identifiers: &identifiers)
        return self.drainEvents()
    }

    /// Takes over a change to the group, without what follows from it.
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
            self.needsSettling = true
        }
    }

    /// Decides everything that falls due up to `now`, each thing at its own moment, whenever this is called.
    package mutating func evaluate(at now: Timestamp, identifiers: inout IdentifierGenerator) -> [GatheringEvent] {
        self.advance(to: now - Self.lag, identifiers: &identifiers)
        return self.drainEvents()
    }

    /// The moment before which `evaluate` has nothing to do; nil when it waits for observations only.
    ///
    /// It may be early, never late.
    package var nextDeadline: Timestamp? {
        let next = self.nextInstant
        return next == .never ? nil : next + Self.lag
    }

    // MARK: Time

    // Inlined, because as a call it gets a copy of all of the machine.
    @inline(__always)
    private var nextInstant: Timestamp {
        self.needsSettling
            ? max(self.instant, self.progress.resumption)
            : min(self.queue.deadline, max(self.deadlineOfTime, self.progress.resumption))
    }

    /// When time alone changes something.
    @inline(__always)
    private var deadlineOfTime: Timestamp { min(self.memberDeadline, min(self.graph.deadline, self.phaseDeadline)) }

    private mutating func advance(to target: Timestamp, identifiers: inout IdentifierGenerator) {
        self.isExhausted = false
        self.applyQuietly(until: target)
        var next = self.nextInstant
        var handled = 0
        while next <= target {
            // Hardly any call comes that far, so only one that does pays for a copy of the machine.
            guard handled < self.instantBudget / 100 else {
                return self.advanceWarily(from: next, to: target, after: handled, identifiers: &identifiers)
            }
            handled += 1
            next = self.handle(next, until: target, identifiers: &identifiers)
        }
        self.instant = max(self.instant, target)
    }

    /// Goes on with `advance`, or leaves the machine as it is when that takes more instants than the budget has.
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
            next = self.handle(next, until: target, identifiers: &identifiers)
            guard next <= target else {
                self.instant = max(self.instant, target)
                return
            }
        }
        self = before
        self.isExhausted = true
    }

    /// Handles an instant; returns the next one, which is later.
    @inline(__always)
    private mutating func handle(
        _ next: Timestamp,
        until target: Timestamp,
        identifiers: inout IdentifierGenerator
    ) -> Timestamp {
        self.instant = max(self.instant, next)
        let handled = self.instant
        self.step(identifiers: &identifiers)
        self.applyQuietly(until: target)
        // The short way may apply one of several observations of a later instant, which is not handled then.
        return self.progress.next(self.nextInstant, after: handled)
    }

    /// Applies observations for as long as they move members and do nothing else.
    private mutating func applyQuietly(until target: Timestamp) {
        // What is traced needs the state before each instant; what is watched needs a look at each move.
        guard !self.needsSettling, self.trace == nil, !self.isWatching, !self.haveMostStrayed else { return }
        let end = min(self.deadlineOfTime - 1, target)
        guard self.queue.deadline <= end else { return }
        var quiet = ProximityGraph.Quiet(movers: self.movers, instant: self.instant, end: end)
        while self.moveQuietly(&quiet) == .leavesYard, self.isCalm(quiet) { quiet.isNextCalm = true }
        guard quiet.moved > 0 else { return }
        self.queue.drop(before: self.queue.head + quiet.moved)
        self.instant = quiet.instant
        self.memberDeadline = min(self.memberDeadline, quiet.usableUntil + 1)
    }

    @inline(__always)
    private mutating func moveQuietly(_ quiet: inout ProximityGraph.Quiet) -> ProximityGraph.QuietStop {
        self.graph.moveQuietly(by: self.queue, settings: self.settings, &quiet)
    }

    /// Whether nothing comes of the next observation, which is outside its member's yard.
    @inline(never)
    private mutating func isCalm(_ quiet: ProximityGraph.Quiet) -> Bool {
        self.graph.isCalm(
            self.queue.entries[self.queue.head + quiet.moved],
            settings: self.settings,
            strayed: self.strayed,
            strayLimit: self.strayLimit
        )
    }

    private mutating func step(identifiers: inout IdentifierGenerator) {
        // As a call it gets a copy of all of the machine.
        let mark = self.trace == nil ? nil : self.traceMark
        defer { self.noteChanges(since: mark) }
        while let entry = self.queue.popDue(by: self.instant) {
            self.apply(entry.observation, of: entry.slot)
        }
        self.expireMembers()
        if self.graph.deadline <= self.instant {
            self.graph.timePassed(to: self.instant)
            self.needsSettling = true
        }
        self.settle(identifiers: &identifiers)
        // Of another place it is to be seen who is far from it.
        if self.needsSettling { self.settle(identifiers: &identifiers) }
    }

    mutating func drainEvents() -> [GatheringEvent] {
        guard self.isStateChanged else { return [] }
        self.isStateChanged = false
        self.events.append(.stateChanged)
        defer { self.events = [] }
        return self.events
    }

    private mutating func findMovers() {
        self.movers = self.usable - self.separate.slots - (self.absentees?.doubted ?? MemberSet())
    }

    private mutating func compareStrayed() {
        // Who is unknown moves no place.
        self.haveMostStrayed =
            !self.strayed.isEmpty
            && 2 * (self.strayed & self.cluster & self.usable).count >= (self.cluster & self.usable).count
    }
}
