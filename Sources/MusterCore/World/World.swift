// One writer owns all live state. Inputs go in by `apply`, time by `tick`, and both add what must follow to a list of
// effects; `endTurn` closes a batch of inputs (and a tick), publishing each changed roster once, and then letting the
// sessions that came in or joined a group in this turn follow their rosters. So whoever follows a roster begins with the
// version that says what the turn did, and `roster(of:)` after `endTurn` is exactly the version published last.
//
// Whoever is taken out of a group stops following its roster at once, and hears that they are out when the turn ends:
// then the answer to the one who asked for it, who may be the same, is on its way.
//
// Invariants:
// - A coordinate leaves the world for others only through `MemberView` or `located`, both behind `Sharing.shows`.
// - Records are numbered without gaps, in the order of the effects that carry them.
// - A device that is held has the session that `sessionOfDevice` says: both change in `connect` alone, and `registerDevice` begins
//   with it.
// - A user, group or device in a table is in `deadlines` whenever only time can change or release it.

/// All live state of a node: who is connected, where they are, who may see it, and what storage still has to confirm.
///
/// A pure function of its inputs and their times; it does no input or output and reads no clock. A stopwatch that it is lent
/// tells it only whether to set a group aside.
package struct World {
    let configuration: WorldConfiguration
    /// The time of the input or tick at work.
    var now: Timestamp
    var identifiers: IdentifierGenerator

    var users = DenseTable<UserID, UserState>()
    var devices = DenseTable<DeviceID, DeviceState>()
    var sessions = DenseTable<SessionID, SessionState>()
    var groups = DenseTable<GroupID, GroupState>()
    var locates = DenseTable<LocateID, LocateState>()
    /// People who are to be seen less than storage knows.
    var unstoredSharing: [UserID: UnstoredSharing] = [:]
    /// What gatherings are called by.
    var spots = SpotIndex()
    /// What sessions watch, and where.
    var areas = AreaIndex()
    /// Which spots sessions were sent.
    var sentSpots = SentSpots()
    /// Spots that were voted on of late.
    var votes: [SpotID: VoteNews] = [:]
    /// Spots whose votes are to be counted when the turn ends.
    var uncounted: [SpotID] = []
    /// What watches show.
    var glances: [SessionID: GlanceState] = [:]
    /// What is known of the spots among that.
    var glanceSpots = GlanceSpots()
    /// Which layers of tiles sessions watch, and which groups are shown on them.
    var tileWatches = TileWatches()
    /// Events that are not over.
    var events = EventTable()
    /// Which events sessions watch for.
    var eventWatches = EventWatches()
    /// Which counts of answers to plans people were told of.
    var planCounts = PlanCounts()
    /// Rooms that somebody here follows, and the sessions that know rooms.
    var chat = ChatState()
    /// Sessions that have not been sent yet what they missed.
    var catchUps: [SessionID: SpotCatchUp] = [:]
    /// The number of the newest reading of spots.
    var lastReading: Int64 = 0

    /// The one session of each connected device, also of one that is not held yet; one that is held names the same.
    var sessionOfDevice = NumberMap<SessionID>()
    /// Sessions that wait for a group to be read.
    var waiting: [SessionID] = []
    /// Groups that are being read.
    var loads: [GroupID: PendingLoad] = [:]
    var locateOfPair: [LocatePair: LocateID] = [:]

    var deadlines = DeadlineQueue()
    var journal = JournalProgress()
    /// Logins and accounts whose `hello` or report may still be on its way, and spots whose adding may.
    var recentEnds = RecentEnds()
    /// Notification numbers of people whose `hello` may still be on its way.
    var recentNumbers = RecentNumbers()
    /// Notifications that the journal was given, by record, until they are durable; without those that were taken back.
    var pendingNotifications: [Int64: NotificationRecord] = [:]
    /// Groups to publish when the turn ends.
    var changedGroups: [GroupID] = []
    /// Whom the end of the turn tells that they are out of a group: behind the answer to who asked for it.
    var departures: [GroupDeparture] = []
    /// Sessions for which the end of the turn has something to do.
    var attention: [SessionID] = []
    /// Sessions that follow rosters already, and the groups that their people have joined in this turn.
    var joins: [(session: SessionID, group: GroupID)] = []
    /// Sessions that were answered about a group in this turn, and need not be told again that they joined it.
    var answered: [(session: SessionID, group: GroupID)] = []
    /// People who are owed a write or a `self`, for the next tick.
    var trailing: [UserID] = []
    /// Devices to ask for what could not be journaled, as soon as there is room.
    var stalled: [DeviceID] = []
    /// The slots of devices to be told what a commit made durable; empty between inputs, kept for its capacity.
    var settling: [Int] = []
    /// Whether the node is about to stop.
    var isDraining = false
    /// Why gatherings were decided as they were, when somebody asks.
    var reasons: [(group: GroupID, entry: GatheringTraceEntry)] = []
    /// Counts that only rise.
    var totals = WorldTotals()

    /// Creates an empty world.
    package init(configuration: WorldConfiguration) {
        self.configuration = configuration
        self.now = configuration.startedAt
        self.identifiers = IdentifierGenerator(node: configuration.node)
    }

    /// Takes in what happened, in order.
    package mutating func apply(_ inputs: [WorldInput], at now: Timestamp, into effects: inout [WorldEffect]) {
        self.setTime(now)
        for index in inputs.indices {
            // In place: nearly all that comes is fixes, and to copy any input takes longer than to copy a fix.
            if case .fixReceived(let session, let fix) = inputs[index] {
                self.receive(fix, of: session, into: &effects)
            } else {
                self.accept(inputs[index], into: &effects)
            }
        }
    }

    /// Takes in one thing that happened.
    package mutating func apply(_ input: WorldInput, at now: Timestamp, into effects: inout [WorldEffect]) {
        self.setTime(now)
        self.accept(input, into: &effects)
    }

    private mutating func accept(_ input: WorldInput, into effects: inout [WorldEffect]) {
        switch input {
        case .sessionOpened(let opening): self.open(opening, into: &effects)
        case .sessionClosed(let session): self.end(session, as: nil, into: &effects)
        case .sessionStateChanged(let session, let isForeground):
            self.changeState(of: session, isForeground: isForeground, into: &effects)
        case .fixReceived(let session, let fix): self.receive(fix, of: session, into: &effects)
        case .fixesReceived(let report): self.receive(report, into: &effects)
        case .notificationsSeen(let session, let what): self.see(session, what, into: &effects)
        case .locateRequested(let session, let tag, let group, let user):
            self.locate(user, in: group, for: session, tag: tag, into: &effects)
        case .answerRequested(let answer): effects.append(.answer(answer))
        case .groupChanged(let snapshot, let answer): self.change(snapshot, answer: answer, into: &effects)
        case .sharingNarrowed(let word): self.narrow(word, into: &effects)
        case .sharingSettled(let word): self.settle(word, into: &effects)
        case .groupViewRequested(let request, let group): self.view(group, for: request, into: &effects)
        case .groupLoaded(let snapshot): self.load(snapshot, into: &effects)
        case .groupLoadFailed(let group): self.failLoad(of: group, into: &effects)
        case .groupsStored(let revisions): self.compare(revisions, into: &effects)
        case .loginEnded(let login): self.endLogin(login, into: &effects)
        case .accountDeleted(let user): self.delete(user, into: &effects)
        case .spots(let input): self.note(input, into: &effects)
        case .events(let input): self.note(input, into: &effects)
        case .notificationsGiven(let numbers): self.noteGiven(numbers, into: &effects)
        case .publicationRequested(let publication): self.publish(publication, into: &effects)
        case .notificationsRead(let user, let unseen, let last):
            self.readNotifications(of: user, unseen, upTo: last, into: &effects)
        case .notificationsReadFailed(let user): self.failReading(of: user)
        case .committed(let record, let failed, let numbers):
            self.commit(through: record, failed: failed, numbers: numbers, into: &effects)
        case .tilesAsked(let request): self.pass(request, into: &effects)
        case .tilesUnwatched(let session, let layer): self.noteUnwatched(layer, by: session)
        case .chat(let input): self.note(input, into: &effects)
        case .drainBegan: self.beginDrain(into: &effects)
        }
    }

    /// Lets time pass: does what is due, and nothing else.
    ///
    /// To be followed by `endTurn`, like inputs.
    package mutating func tick(at now: Timestamp, into effects: inout [WorldEffect]) {
        self.setTime(now)
        self.sendTrailing(into: &effects)
        // What becomes due again at once (a deadline in the past) waits for the next tick, so the loop ends.
        var due: [DeadlineQueue.Subject] = []
        while let subject = self.deadlines.popDue(at: now) {
            self.forgetDeadline(of: subject)
            due.append(subject)
        }
        for subject in due {
            switch subject {
            case .user(let user): self.meetDeadline(of: user, into: &effects)
            case .device(let device): self.meetDeadline(of: device, into: &effects)
            case .group(let group): self.meetDeadline(of: group, into: &effects)
            case .locate(let locate): self.meetDeadline(of: locate, into: &effects)
            case .session(let session): self.end(session, as: .unauthorized, into: &effects)
            case .spot(let spot): self.meetDeadline(of: spot)
            case .catchUp(let session): self.beginCatchUp(of: session, into: &effects)
            // Once the turn has published what its group decided.
            case .glance(let session): self.attend(session)
            case .tileFeed(let group): self.endIdleFeed(of: group, into: &effects)
            case .event(let event): self.meetDeadline(of: event, into: &effects)
            }
            self.checkProgress(of: subject, into: &effects)
        }
    }

    /// Notes that a subject waits for no moment any more.
    private mutating func forgetDeadline(of subject: DeadlineQueue.Subject) {
        switch subject {
        case .user(let user): if let slot = self.users.slot(of: user) { self.users[slot].nextDeadline = .never }
        case .group(let group): if let slot = self.groups.slot(of: group) { self.groups[slot].nextDeadline = .never }
        case .device, .locate, .session, .spot, .catchUp, .glance, .tileFeed, .event: break
        }
    }

    /// The moment before which a tick has nothing to do; nil when it waits for inputs only.
    ///
    /// It may be early, never late.
    package var nextDeadline: Timestamp? { self.trailing.isEmpty ? self.deadlines.next : self.now }

    /// Ends a batch of inputs: publishes every changed roster once, then serves those who came in.
    package mutating func endTurn(into effects: inout [WorldEffect]) {
        self.publishChanges(into: &effects)
        self.tellDepartures(into: &effects)
        self.serveAttention(into: &effects)
        self.countVotes(into: &effects)
        self.tellEvents(into: &effects)
    }

    /// Why gatherings were decided as they were since the last call; empty unless the configuration asks for it.
    package mutating func drainReasons() -> [(group: GroupID, entry: GatheringTraceEntry)] {
        defer { self.reasons.removeAll(keepingCapacity: true) }
        return self.reasons
    }

    /// The roster as last published; nil when the world does not hold the group.
    package func roster(of group: GroupID) -> RosterSnapshot? {
        self.groups.slot(of: group).map { self.groups[$0].roster }
    }

    /// Takes a record to the journal, and says its number.
    @discardableResult
    mutating func write(
        _ record: JournalRecord,
        for waiter: JournalProgress.Waiter? = nil,
        into effects: inout [WorldEffect]
    ) -> Int64 {
        let number = self.journal.number(waiter)
        effects.append(.journal(number, record))
        return number
    }

    /// Whether the journal takes what can also come later.
    var hasJournalRoom: Bool { self.journal.backlog < self.configuration.journalLimit }
}

@available(*, unavailable)
extension World: Sendable {}
