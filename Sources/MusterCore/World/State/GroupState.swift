/// A group that the world holds: its members, its roster and its gathering.
struct GroupState {
    /// How many departures a roster remembers for those who resume.
    static let departuresKept = 1_000

    let id: GroupID
    var revision: Int64
    var name: String
    var settings: GroupSettings
    /// The roster's life; new whenever the group is loaded.
    let epoch: String
    /// Rises by one with each published change.
    private(set) var version: UInt64 = 1
    /// Members by the order of joining; `memberIDs` runs beside it, for quick search.
    private(set) var memberIDs: ContiguousArray<UserID> = []
    var members: ContiguousArray<MemberState> = []

    // What the end of the turn publishes.
    /// The places of members to look at.
    private(set) var dirty: [Int] = []
    private(set) var gone: [UserID] = []
    var gatheringChange: RosterChange.GatheringChange = .unchanged

    // What was published.
    private(set) var departures: [RosterSnapshot.Departure] = []
    private(set) var departuresKeptSince: UInt64 = 0
    private(set) var gathering: GatheringStatus?
    private(set) var gatheringVersion: UInt64 = 0

    /// Who is together, and whom they left behind.
    var machine: GatheringMachine
    /// Whether the machine went on from a stored state.
    var isMachineRestored = false
    /// Why nothing is decided about its gatherings for a while; nil while it is.
    var setAside: GroupSetAside?
    /// Until when the last position that drives the gathering is usable: phones that only wake to report would lose it
    /// between two reports if the group were forgotten earlier.
    var usableUntil = Timestamp(milliseconds: 0)
    /// No earlier than the moment at which it waits to be looked at; to ask for a later one changes nothing.
    var nextDeadline = Timestamp.never
    /// When something last happened here.
    var lastActivity: Timestamp
    /// The last record that the journal was given for it.
    var lastRecord: Int64 = 0
    /// Whether the world has it in its list of groups to publish.
    var isQueued = false
    /// No later than the moment at which a member's setting returns to `live`; nil when none does.
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
        // Members come one by one and stay: room by doubling would be half empty.
        self.memberIDs.reserveCapacity(snapshot.members.count)
        self.members.reserveCapacity(snapshot.members.count)
    }

    /// The moment before which the machine has nothing to do; nil when it waits for observations only.
    ///
    /// To be asked here: `groups[slot].machine.nextDeadline` copies the machine with all its references first.
    var machineDeadline: Timestamp? { self.setAside?.retryAt ?? self.machine.nextDeadline }

    /// Whether the machine gave up its last call.
    var isMachineExhausted: Bool { self.machine.isExhausted }

    /// The deadline that the machine put off since the last call; nil when there is none.
    mutating func takeStalledDeadline() -> Timestamp? { self.machine.progress.takeReport() }

    /// Everybody who was together at any time since the gathering began.
    var participants: [UserID] { self.machine.participants }

    /// Whether a gathering lasts.
    var hasOpenGathering: Bool { self.machine.status != nil }

    /// Where a member stands; nil when they are none.
    func index(of user: UserID) -> Int? { self.memberIDs.firstIndex(of: user) }

    /// Whether there is anything to publish.
    var isDirty: Bool { !self.dirty.isEmpty || !self.gone.isEmpty || self.gatheringChange != .unchanged }

    /// Adds a member at the end.
    mutating func add(_ member: MemberState) {
        var member = member
        let left = self.departures.firstIndex { $0.user == member.user }
        if left != nil || self.gone.contains(member.user) {
            // A client may still hold what they showed before they left: all that is absent now must be told.
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

    /// Takes a member out.
    mutating func remove(at index: Int) {
        let user = self.memberIDs.remove(at: index)
        self.members.remove(at: index)
        self.dirty = self.dirty.compactMap { $0 == index ? nil : $0 > index ? $0 - 1 : $0 }
        self.gone.append(user)
    }

    /// Notes that a member's setting returns to `live` at `end`.
    mutating func noteSharing(until end: Timestamp) { self.sharingEnds = min(end, self.sharingEnds ?? end) }

    /// Finds anew when the next setting ends.
    mutating func findSharingEnd() { self.sharingEnds = self.members.lazy.compactMap(\.sharing.until).min() }

    /// Has a member looked at when the turn ends.
    ///
    /// - Parameters:
    ///   - index: where they stand.
    ///   - mark: what of them may have changed; whoever changes more than where they are must say so.
    mutating func mark(_ index: Int, _ mark: MemberState.Mark = .everything) {
        switch self.members[index].mark {
        case .nothing:
            self.members[index].mark = mark
            self.dirty.append(index)
        case .position: self.members[index].mark = mark
        case .everything: break
        }
    }

    /// Notes that the world has it in its list of groups to publish, and says whether it is to be put there for that.
    mutating func queue() -> Bool {
        defer { self.isQueued = true }
        return !self.isQueued
    }

    /// What is to be done for a group that was told where a member is.
    struct News {
        /// Whether it is to be published, and the world does not have it in its list yet.
        var isFirst = false
        /// When it is to be looked at; nil when it is known already.
        var deadline: Timestamp?
    }

    /// Takes in where a member is: for the roster if that is shown, for the gathering if it is to be driven by it and they
    /// share it.
    ///
    /// All in one go, as it is done for each fix: to find a group in a table of thousands is most of what it takes.
    mutating func receive(_ position: ShownPosition, _ judged: JudgedFix, of user: UserID, at now: Timestamp) -> News {
        var news = News()
        guard let index = self.index(of: user) else { return news }
        if judged.isShown {
            self.mark(index, .position)
            self.lastActivity = now
            news.isFirst = self.queue()
        }
        // Whoever is set aside is taken up where they are then.
        guard self.setAside == nil, judged.drivesGatherings, self.members[index].sharing.mode == .live,
            self.members[index].sharing.shows(position)
        else { return news }
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
        guard let due = self.machine.nextDeadline, due < self.nextDeadline else { return news }
        self.nextDeadline = due
        news.deadline = due
        return news
    }

    /// Makes what the members show now the first version of the roster.
    mutating func publishFirst(gathering: GatheringStatus?, _ view: MemberView) {
        for index in self.members.indices { _ = self.members[index].publish(view, version: 1) }
        self.dirty = []
        self.gathering = gathering
        self.gatheringVersion = gathering == nil ? 0 : 1
    }

    /// Makes a new version of what has changed; nil when nothing has.
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

    /// All that was published.
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
