/// A loaded group: its members, its roster and its gathering.
struct GroupState {
    /// The number of departures that a roster keeps for clients that resume.
    static let departuresKept = 1_000

    let id: GroupID
    var revision: Int64
    var name: String
    var settings: GroupSettings
    /// The epoch of the roster, which changes whenever the group is loaded.
    let epoch: String
    /// The roster version, which rises by one with each published change.
    private(set) var version: UInt64 = 1
    /// Member ids in the order of joining; parallel to `members`, for fast search.
    private(set) var memberIDs: ContiguousArray<UserID> = []
    var members: ContiguousArray<MemberState> = []

    // The changes to publish at the end of the batch.
    /// The indices of changed members.
    private(set) var dirty: [Int] = []
    private(set) var gone: [UserID] = []
    var gatheringChange: RosterChange.GatheringChange = .unchanged

    // The published state.
    private(set) var departures: [RosterSnapshot.Departure] = []
    private(set) var departuresKeptSince: UInt64 = 0
    private(set) var gathering: GatheringStatus?
    private(set) var gatheringVersion: UInt64 = 0

    /// The gathering machine: the members who are together, and those left behind.
    var machine: GatheringMachine
    /// Whether the machine was restored from a stored state.
    var isMachineRestored = false
    /// The suspension of the group's evaluation; nil while it is not suspended.
    @Boxed var suspension: GroupSuspension?
    /// The places of the group; nil if it has none.
    @Boxed var places: GroupPlaces?
    /// The time until which the newest position that drives the gathering is usable.
    ///
    /// The group stays loaded until then: phones that only wake to report would otherwise lose the position between two
    /// reports.
    var usableUntil = Timestamp(milliseconds: 0)
    /// An upper bound of the scheduled check.
    ///
    /// Requests for a later one have no effect.
    var nextDeadline = Timestamp.never
    /// The time of the last activity.
    var lastActivity: Timestamp
    /// The last journal record of the group.
    var lastRecord: Int64 = 0
    /// Whether the group is in the world's list of groups to publish.
    var isQueued = false
    /// A lower bound of the next expiry of a member's sharing setting; nil when none expires.
    private(set) var sharingEnds: Timestamp?

    /// Creates a group without members.
    init(snapshot: GroupSnapshot, epoch: String, at now: Timestamp) {
        self.id = snapshot.id
        self.revision = snapshot.revision
        self.name = snapshot.name
        self.settings = snapshot.settings
        self.epoch = epoch
        self.lastActivity = now
        self.machine = GatheringMachine(settings: snapshot.settings, at: now)
        // The number of members is known and seldom grows: growth by doubling would leave half of the capacity unused.
        self.memberIDs.reserveCapacity(snapshot.members.count)
        self.members.reserveCapacity(snapshot.members.count)
    }

    /// The time before which the machine has nothing to do; nil when it waits for observations only.
    ///
    /// Callers must use this: `groups[slot].machine.nextDeadline` copies the machine with all its references first.
    var machineDeadline: Timestamp? { self.suspension?.retryAt ?? self.machine.nextDeadline }

    /// Whether the machine aborted its last call.
    var isMachineExhausted: Bool { self.machine.isExhausted }

    /// Returns and clears the deadline that the machine postponed since the last call; nil when there is none.
    mutating func takeStalledDeadline() -> Timestamp? { self.machine.progress.takeReport() }

    /// All members who were together at any time since the gathering began.
    var participants: [UserID] { self.machine.participants }

    /// Whether a gathering is open.
    var hasOpenGathering: Bool { self.machine.status != nil }

    /// The index of a member; nil when the user is not a member.
    func index(of user: UserID) -> Int? { self.memberIDs.firstIndex(of: user) }

    /// Adds a member at the end.
    mutating func add(_ member: MemberState) {
        var member = member
        let left = self.departures.firstIndex { $0.user == member.user }
        if left != nil || self.gone.contains(member.user) {
            // A client may still show what the member had shared before leaving. All fields that are absent now must be
            // sent.
            member.everShown = .all
            member.everHadLastSeen = true
        }
        if let left { self.departures.remove(at: left) }
        self.gone.removeAll { $0 == member.user }
        if let end = member.sharing.until { self.noteSharing(until: end) }
        self.memberIDs.append(member.user)
        self.members.append(member)
        self.mark(self.members.count - 1)
    }

    /// Removes a member.
    mutating func remove(at index: Int) {
        let user = self.memberIDs.remove(at: index)
        self.members.remove(at: index)
        self.dirty = self.dirty.compactMap { $0 == index ? nil : $0 > index ? $0 - 1 : $0 }
        self.gone.append(user)
    }

    /// Lowers the next sharing expiry to `end`.
    mutating func noteSharing(until end: Timestamp) { self.sharingEnds = min(end, self.sharingEnds ?? end) }

    /// Recomputes the next sharing expiry.
    mutating func findSharingEnd() { self.sharingEnds = self.members.lazy.compactMap(\.sharing.until).min() }

    /// Marks a member as changed, for the end of the batch.
    ///
    /// - Parameters:
    ///   - index: the member's index.
    ///   - mark: the parts that may have changed; a change of more than the position must say so.
    mutating func mark(_ index: Int, _ mark: MemberState.Mark = .everything) {
        switch self.members[index].mark {
        case .nothing:
            self.members[index].mark = mark
            self.dirty.append(index)
        case .position: self.members[index].mark = mark
        case .everything: break
        }
    }

    /// Marks the group as listed for publication, and returns whether the caller must add it to the list.
    mutating func queue() -> Bool {
        defer { self.isQueued = true }
        return !self.isQueued
    }

    /// The follow-up work after a position was received.
    struct FollowUp {
        /// Whether the group must be added to the list of groups to publish.
        var isFirst = false
        /// The new deadline; nil when it is unchanged.
        var deadline: Timestamp?
    }

    /// Applies a member's position: to the roster if it is shown, and to the gathering if it drives gatherings and the
    /// member shares it.
    ///
    /// Everything happens in one call, because it runs for each fix and the group lookup is most of its cost.
    mutating func receive(
        _ position: ShownPosition,
        _ evaluated: EvaluatedFix,
        of user: UserID,
        at now: Timestamp
    ) -> FollowUp {
        var followUp = FollowUp()
        guard let index = self.index(of: user) else { return followUp }
        if evaluated.isShown {
            self.mark(index, .position)
            self.lastActivity = now
            followUp.isFirst = self.queue()
        }
        // A suspended group catches up with the current positions when it resumes.
        guard self.suspension == nil, evaluated.drivesGatherings, self.members[index].sharing.mode == .live,
            self.members[index].sharing.shows(position)
        else { return followUp }
        let observation = GatheringObservation(
            device: position.device,
            sequence: position.fix.sequence,
            at: position.at,
            coordinate: position.fix.coordinate,
            accuracy: position.fix.accuracy.map(Double.init) ?? 0,
            isStationary: position.isStationary
        )
        self.machine.observe(user, observation, receivedAt: now, expectedAt: index)
        let usable = Freshness.usableUntil(position.at, isStationary: position.isStationary)
        self.usableUntil = max(usable, self.usableUntil)
        guard let due = self.machine.nextDeadline, due < self.nextDeadline else { return followUp }
        self.nextDeadline = due
        followUp.deadline = due
        return followUp
    }

    /// Publishes the members' current state as the first version of the roster.
    mutating func publishFirst(gathering: GatheringStatus?, _ view: MemberView) {
        for index in self.members.indices { _ = self.members[index].publish(view, version: 1) }
        self.dirty = []
        self.gathering = gathering
        self.gatheringVersion = gathering == nil ? 0 : 1
    }

    /// Publishes the changes as a new version; nil when there are none.
    mutating func publish(_ view: MemberView) -> RosterChange? {
        let next = self.version + 1
        var entries: [RosterEntry] = []
        entries.reserveCapacity(self.dirty.count)
        for index in self.dirty {
            if let entry = self.members[index].publish(view, version: next) { entries.append(entry) }
        }
        self.dirty.removeAll(keepingCapacity: true)
        let gone = self.gone
        let gatheringChange = self.gatheringChange
        self.gone = []
        self.gatheringChange = .unchanged
        guard !entries.isEmpty || !gone.isEmpty || gatheringChange != .unchanged else { return nil }
        self.version = next
        self.depart(gone)
        if case .changed(_, let current) = gatheringChange {
            self.gathering = current
            self.gatheringVersion = next
        }
        return RosterChange(
            group: self.id,
            version: RosterVersion(epoch: self.epoch, version: next),
            members: entries,
            gone: gone,
            gathering: gatheringChange
        )
    }

    /// The complete published roster.
    var roster: RosterSnapshot {
        RosterSnapshot(
            group: self.id,
            version: RosterVersion(epoch: self.epoch, version: self.version),
            members: self.members.compactMap(\.published),
            departures: self.departures,
            departuresKeptSince: self.departuresKeptSince,
            gathering: self.gathering,
            gatheringVersion: self.gatheringVersion
        )
    }

    private mutating func depart(_ users: [UserID]) {
        for user in users { self.departures.append(.init(user: user, version: self.version)) }
        let excess = self.departures.count - Self.departuresKept
        guard excess > 0 else { return }
        self.departuresKeptSince = self.departures[excess - 1].version
        self.departures.removeFirst(excess)
    }
}
