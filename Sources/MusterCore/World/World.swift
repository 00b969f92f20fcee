// One writer owns all live state. `apply` processes inputs and `tick` advances time; both append effects to a list.
// `endIteration` closes a batch of inputs, or a tick. It publishes each changed roster once, and then subscribes the
// sessions that were admitted or joined a group in this batch. A new subscriber therefore begins with the version that
// contains the batch's changes. After `endIteration`, `roster(of:)` equals the version published last.
//
// A user who is removed from a group is unsubscribed from its roster at once. The `leftGroup` effect follows at the end
// of the batch: after the answer to the requester, who may be the same user.
//
// Invariants:
// - A coordinate reaches other users only through `MemberView` or a locate answer, and both check `Sharing.shows`.
// - Record numbers have no gaps and rise in the order of the effects that carry them.
// - The session of a loaded device equals its entry in `sessionOfDevice`. Only `connect` changes both, and
//   `registerDevice` initialises a device from the entry.
// - Every user, group or device that only time can change or release has an entry in `deadlines`.

/// All live state of a node: connected users, their positions and visibility, and the records that storage must
/// confirm.
///
/// The world is a pure function of its inputs and their times: it does no I/O and reads no clock. An injected stopwatch
/// only decides whether a group is suspended.
package struct World {
    let configuration: WorldConfiguration
    /// The time of the input or tick being processed.
    var now: Timestamp
    var identifiers: IdentifierGenerator

    var users = DenseTable<UserID, UserState>()
    var devices = DenseTable<DeviceID, DeviceState>()
    var sessions = DenseTable<SessionID, SessionState>()
    var groups = DenseTable<GroupID, GroupState>()
    var locates = DenseTable<LocateID, LocateState>()
    /// Users whose requested visibility is lower than storage knows.
    var unstoredSharing: [UserID: UnstoredSharing] = [:]
    /// The named places by which gatherings are labelled.
    var spots = SpotIndex()
    /// The areas that sessions are subscribed to.
    var areas = AreaIndex()
    /// The users who notify others of arrivals, with their states at places.
    var arrivals = DenseTable<UserID, UserArrivals>()
    /// The spots that each session was sent.
    var sentSpots = SentSpots()
    /// Spots with recent votes.
    var votes: [SpotID: PendingVotes] = [:]
    /// Spots whose votes are queried at the end of the batch.
    var uncounted: [SpotID] = []
    /// The glance state of each wearable session.
    var glances: [SessionID: GlanceState] = [:]
    /// The known texts of the spots in those glances.
    var glanceSpots = GlanceSpots()
    /// The tile layers that sessions are subscribed to, and the groups shown on them.
    var tileSubscriptions = TileSubscriptions()
    /// Events that are not over.
    var events = EventTable()
    /// The event subscriptions of sessions.
    var eventSubscriptions = EventSubscriptions()
    /// The latest published rsvp counts of plans.
    var planCounts = PlanCounts()
    /// Rooms that a session follows, and the sessions with chat support.
    var chat = ChatState()
    /// Sessions that wait for the spots they missed.
    var catchUps: [SessionID: SpotCatchUp] = [:]
    /// The number of the newest spot query.
    var lastQuery: Int64 = 0

    /// The one session of each connected device, including devices that are not loaded yet.
    var sessionOfDevice = NumberMap<SessionID>()
    /// Sessions that wait for a group to be loaded.
    var waiting: [SessionID] = []
    /// Groups that are being loaded.
    var loads: [GroupID: PendingLoad] = [:]
    var locateOfPair: [LocatePair: LocateID] = [:]
    /// The last reports of each loaded tracker.
    var reportMemories: [DeviceID: ReportMemory] = [:]
    /// Trackers' requests for what their phones show, which wait for groups to be loaded.
    var phoneViews: [PhoneViewRequest] = []

    var deadlines = DeadlineQueue()
    var journal = JournalProgress()
    /// Recently ended logins and accounts whose `hello` or report may still arrive, and recently deleted spots whose
    /// addition may still arrive.
    var recentEnds = RecentEnds()
    /// Recent notification numbers of users whose `hello` may still arrive.
    var recentNumbers = RecentNumbers()
    /// Notifications in the journal that are not durable yet, by record; withdrawn ones are removed.
    var pendingNotifications: [Int64: NotificationRecord] = [:]
    /// Groups to publish at the end of the batch.
    var changedGroups: [GroupID] = []
    /// Users to notify at the end of the batch that they left a group, after the answer to the requester.
    var departures: [GroupDeparture] = []
    /// Sessions with work to do at the end of the batch.
    var attention: [SessionID] = []
    /// Sessions that already follow rosters, and the groups that their users joined in this batch.
    var joins: [(session: SessionID, group: GroupID)] = []
    /// Sessions that got an answer about a group in this batch, and need no other message that they joined it.
    var answered: [(session: SessionID, group: GroupID)] = []
    /// Users with a deferred position write or `self` message, for the next tick.
    var deferred: [UserID] = []
    /// Devices to ask for a resend once the journal has space.
    var stalled: [DeviceID] = []
    /// The slots of devices to acknowledge after a commit; empty between inputs, kept for its capacity.
    var acknowledging: [Int] = []
    /// Whether the node is shutting down.
    var isDraining = false
    /// The reasons of gathering decisions, when the configuration asks for them.
    var reasons: [(group: GroupID, entry: GatheringTraceEntry)] = []
    /// Monotonic counters.
    var totals = WorldTotals()
    /// The effects of the call in progress; empty between calls.
    var effects: [WorldEffect] = []

    /// Creates an empty world.
    package init(configuration: WorldConfiguration) {
        self.configuration = configuration
        self.now = configuration.startedAt
        self.identifiers = IdentifierGenerator(node: configuration.node)
    }

    /// Processes inputs in order.
    package mutating func apply(_ inputs: [WorldInput], at now: Timestamp, into effects: inout [WorldEffect]) {
        swap(&effects, &self.effects)
        defer { swap(&effects, &self.effects) }
        self.setTime(now)
        for index in inputs.indices {
            // In place: nearly all inputs are fixes, and copying any input takes longer than copying a fix.
            if case .fixReceived(let session, let fix) = inputs[index] {
                self.receive(fix, of: session)
            } else {
                self.accept(inputs[index])
            }
        }
    }

    /// Processes one input.
    package mutating func apply(_ input: WorldInput, at now: Timestamp, into effects: inout [WorldEffect]) {
        swap(&effects, &self.effects)
        defer { swap(&effects, &self.effects) }
        self.setTime(now)
        self.accept(input)
    }

    private mutating func accept(_ input: WorldInput) {
        switch input {
        case .sessionOpened(let opening): self.open(opening)
        case .sessionClosed(let session): self.end(session, as: nil)
        case .sessionStateChanged(let session, let isForeground):
            self.changeState(of: session, isForeground: isForeground)
        case .fixReceived(let session, let fix): self.receive(fix, of: session)
        case .fixesReceived(let report): self.receive(report)
        case .notificationsSeen(let session, let what): self.see(session, what)
        case .locateRefused(let locate, let user):
            self.refuse(locate, by: user)
        case .locateRequested(let session, let tag, let group, let user, let others):
            self.locate(user, in: group, for: session, tag: tag, others: others)
        case .answerRequested(let answer): self.effects.append(.answer(answer))
        case .groupChanged(let snapshot, let answer): self.change(snapshot, answer: answer)
        case .sharingNarrowed(let change): self.narrow(change)
        case .sharingResolved(let change): self.resolve(change)
        case .groupViewRequested(let request, let group): self.view(group, for: request)
        case .answered(let question, let answer): self.apply(answer, to: question)
        case .groupsStored(let revisions): self.compare(revisions)
        case .loginsSuspected: self.checkLogins()
        case .loginEnded(let login): self.endLogin(login)
        case .accountDeleted(let user): self.delete(user)
        case .spots(let input): self.note(input)
        case .events(let input): self.note(input)
        case .notificationsGiven(let numbers): self.noteGiven(numbers)
        case .publicationRequested(let publication): self.publish(publication)
        case .committed(let record, let failed, let numbers):
            self.commit(through: record, failed: failed, numbers: numbers)
        case .tilesAsked(let request): self.pass(request)
        case .tilesUnsubscribed(let session, let layer): self.noteUnsubscribed(layer, by: session)
        case .chat(let input): self.note(input)
        case .phoneApps(let input): self.note(input)
        case .drainBegan: self.beginDrain()
        }
    }

    /// Advances time: processes everything that is due.
    ///
    /// Must be followed by `endIteration`, like inputs.
    package mutating func tick(at now: Timestamp, into effects: inout [WorldEffect]) {
        swap(&effects, &self.effects)
        defer { swap(&effects, &self.effects) }
        self.setTime(now)
        self.sendDeferred()
        // A subject that is due again at once (a deadline in the past) waits for the next tick, so the loop ends.
        var due: [DeadlineQueue.Subject] = []
        while let subject = self.deadlines.popDue(at: now) {
            self.forgetDeadline(of: subject)
            due.append(subject)
        }
        for subject in due {
            switch subject {
            case .user(let user): self.meetDeadline(of: user)
            case .device(let device): self.meetDeadline(of: device)
            case .group(let group): self.meetDeadline(of: group)
            case .locate(let locate): self.meetDeadline(of: locate)
            case .session(let session): self.end(session, as: .unauthorized)
            case .spot(let spot): self.meetDeadline(of: spot)
            case .catchUp(let session): self.beginCatchUp(of: session)
            // The glance is made at the end of the batch, after the group's changes are published.
            case .glance(let session): self.attend(session)
            case .tileFeed(let group): self.endIdleFeed(of: group)
            case .event(let event): self.meetDeadline(of: event)
            }
            self.checkProgress(of: subject)
        }
    }

    /// Clears the cached next deadline of a subject.
    private mutating func forgetDeadline(of subject: DeadlineQueue.Subject) {
        switch subject {
        case .user(let user): if let slot = self.users.slot(of: user) { self.users[slot].nextDeadline = .never }
        case .group(let group): if let slot = self.groups.slot(of: group) { self.groups[slot].nextDeadline = .never }
        case .device, .locate, .session, .spot, .catchUp, .glance, .tileFeed, .event: break
        }
    }

    /// The time before which a tick has nothing to do; nil when the world waits for inputs only.
    ///
    /// It may be too early, but never too late.
    package var nextDeadline: Timestamp? { self.deferred.isEmpty ? self.deadlines.next : self.now }

    /// Ends a batch of inputs: publishes every changed roster once, then processes new sessions and joins.
    package mutating func endIteration(into effects: inout [WorldEffect]) {
        swap(&effects, &self.effects)
        defer { swap(&effects, &self.effects) }
        self.publishChanges()
        self.sendDepartures()
        self.serveAttention()
        self.countVotes()
        self.sendEvents()
        self.servePhoneViews()
    }

    /// Returns the reasons of gathering decisions since the last call; empty unless the configuration asks for them.
    package mutating func drainReasons() -> [(group: GroupID, entry: GatheringTraceEntry)] {
        defer { self.reasons.removeAll(keepingCapacity: true) }
        return self.reasons
    }

    /// The roster as last published; nil when the group is not loaded.
    package func roster(of group: GroupID) -> RosterSnapshot? {
        self.groups.slot(of: group).map { self.groups[$0].roster }
    }

    /// Appends a record to the journal and returns its number.
    @discardableResult
    mutating func write(_ record: JournalRecord, for waiter: JournalProgress.Waiter? = nil) -> Int64 {
        let number = self.journal.number(waiter)
        self.effects.append(.journal(number, record))
        return number
    }

    /// Whether the journal has space for records that may also be written later.
    var hasJournalCapacity: Bool { self.journal.backlog < self.configuration.journalLimit }
}

@available(*, unavailable)
extension World: Sendable {}
