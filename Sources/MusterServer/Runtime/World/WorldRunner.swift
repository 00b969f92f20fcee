import EventLoop
import MusterCore
import MusterWire
import Synchronization
import WebSocketGateway

/// Runs the world batch by batch, on the thread that owns it: see `LocalWorld`.
///
/// It owns no thread and no socket: inputs come from a mailbox, and effects go to outlets.
final class WorldRunner {
    private var world: World
    private let tick: Int64
    private let clock: MonotonicClock
    let outlets: WorldOutlets
    private let mailbox: Mailbox<WorldInput>
    private let gate: IntakeGate
    private var nextTick: Int64
    /// The commands that the shards receive at the end of the batch.
    var outbox: TopicOutbox
    private var malformed: [SessionID: [FrameError]] = [:]
    /// The rosters that the effects of this batch have shown so far.
    private var shownRosters: [GroupID: RosterSnapshot] = [:]

    // Reused across batches for their capacity.
    private var inputs: [WorldInput] = []
    private var effects: [WorldEffect] = []
    private var records: [JournalEntry] = []
    private var scratch: [UInt8] = []
    private var clusterInputs: [ClusterInput] = []

    private var ticks = Histogram.seconds
    private var iterations = WorldStatistics().iterations

    init(
        _ configuration: WorldConfiguration,
        tick: Int64,
        clock: MonotonicClock,
        outlets: WorldOutlets,
        mailbox: Mailbox<WorldInput>,
        unfollowed: Mailbox<UnfollowedTopic>,
        gate: IntakeGate
    ) {
        self.world = World(configuration: configuration)
        self.tick = tick
        self.clock = clock
        self.outlets = outlets
        self.mailbox = mailbox
        self.gate = gate
        self.nextTick = clock.milliseconds + tick
        self.outbox = TopicOutbox(to: outlets.shards, unfollowed: unfollowed)
    }

    /// How long the thread may wait for inputs.
    var millisecondsToTick: Int64 { max(0, self.nextTick - self.clock.milliseconds) }

    /// Applies pending inputs, ticks when a tick is due and allowed, and delivers the effects.
    func iterate(mayTick: Bool, reporting statistics: borrowing Mutex<WorldStatistics>) {
        self.mailbox.drain(into: &self.inputs)
        let now = Timestamp(milliseconds: self.clock.wallMilliseconds)
        self.outbox.closeMirrors()
        self.world.apply(self.inputs, at: now, into: &self.effects)
        let started = self.clock.nanoseconds
        let isTick = mayTick && started / 1_000_000 >= self.nextTick
        if isTick {
            self.nextTick = started / 1_000_000 + self.tick
            self.world.tick(at: now, into: &self.effects)
        }
        self.world.endIteration(into: &self.effects)
        self.execute(at: now)
        if !self.inputs.isEmpty { self.iterations.observe(Double(self.inputs.count)) }
        if isTick {
            self.ticks.observe(Double(self.clock.nanoseconds - started) / 1e9)
            let report = WorldStatistics(
                counters: self.world.counters,
                ticks: self.ticks,
                iterations: self.iterations,
                mailboxDepth: self.inputs.count
            )
            statistics.withLock { $0 = report }
        }
    }

    private func execute(at now: Timestamp) {
        for index in self.effects.indices {
            // In place: nearly all effects are records, and copying any effect takes longer than copying a record.
            if case .journal(let number, let record) = self.effects[index] {
                self.submit(record, number)
            } else {
                self.execute(self.effects[index], at: now)
            }
        }
        if self.gate.reopen() { self.outbox.sendToAll(.resumeAllReading) }
        self.effects.removeAll(keepingCapacity: true)
        self.shownRosters.removeAll()
        self.outbox.deliver()
        // In one batch, so that no client sees a point that this batch has hidden.
        if !self.clusterInputs.isEmpty { self.outlets.clusters.send(contentsOf: &self.clusterInputs) }
        if !self.records.isEmpty { self.outlets.journal.submit(&self.records) }
    }

    private func execute(_ effect: WorldEffect, at now: Timestamp) {
        switch effect {
        case .welcome(let session, let welcome):
            self.send(.welcome(welcome, session: session, at: now, self.outlets.terms), to: session)
        case .answer(let answer):
            self.send(answer.frame, to: answer.session)
        case .refused(let session, let tag, let refusal):
            self.send(.error(FrameError(refusal, tag: tag)), to: session)
        case .acknowledged(.session(let session), let acknowledgement):
            self.send(.ack(acknowledgement), to: session, .soon)
        case .acknowledged(.request(let request), let acknowledgement):
            self.answer(request, acknowledgement)
        case .reportRefused(let request):
            self.malformed[request] = nil
            self.outlets.reports.resolve(request.rawValue, .failure(.accountGone))
        case .badFix(.session(let session), let sequence, let reason):
            self.send(.error(.badFix(reason, sequence: sequence)), to: session)
        case .badFix(.request(let request), let sequence, let reason):
            self.malformed[request, default: []].append(.badFix(reason, sequence: sequence))
        case .resend(let session, let after):
            self.send(.resend(after: after), to: session)
        case .selfMoved(let session, let position):
            self.send(.selfMoved(position), to: session)
        case .locate(let effect):
            self.execute(effect)
        case .publish(let sessions, let message):
            self.send(.live(message), to: sessions)
        case .publishNear(let sessions, let message):
            let bytes = ServerFrame.live(message).encoded
            for near in sessions { self.send(bytes.withDistance(near.distance), to: near.session) }
        case .notify(let sessions, let notification, let isLate):
            self.send(.notification(notification, isLate: isLate), to: sessions)
        case .events(let effect):
            self.execute(effect)
        case .glance(let session, let glance):
            if !self.outlets.glances.send(glance, to: session) { self.send(.glance(glance), to: session) }
        case .close(let session, let end):
            self.close(session, end)
        case .rosterShown(let roster):
            self.shownRosters[roster.group] = roster
        case .subscribe(let session, let group, let resume):
            self.subscribe(session, to: group, resume: resume)
        case .unsubscribe(let session, let group):
            self.unsubscribe(session, from: group)
        case .leftGroup(let session, let group, let user, let version):
            self.send(RosterFrame.departure(of: user, from: group, version: version), to: session)
        case .rosterChanged(let change):
            self.outbox.update(RosterTopic.id(change.group)) { RosterTopic.change(change, scratch: &self.scratch) }
        case .rosterClosed(let group):
            self.outbox.close(RosterTopic.id(group))
        case .clusters(let input):
            self.clusterInputs.append(input)
        case .chat(let effect):
            self.execute(effect)
        case .phoneApps(let effect):
            self.execute(effect)
        case .groupViewed(let request, let visibility):
            self.outlets.sights.resolve(request, visibility.map { .success($0) })
        case .journal(let number, let record):
            self.submit(record, number)
        case .ask(let question):
            self.outlets.storage.ask(question)
        case .trouble(let trouble):
            self.outlets.log(trouble.logEvent)
        }
    }

    // MARK: - Sessions

    func send(_ frame: ServerFrame, to session: SessionID, _ urgency: Urgency = .now) {
        self.send(frame.encoded, to: session, urgency)
    }

    /// Sends the same frame to several sessions; it is encoded once.
    private func send(_ frame: ServerFrame, to sessions: [SessionID]) {
        let bytes = frame.encoded
        for session in sessions { self.send(bytes, to: session) }
    }

    func send(_ frame: [UInt8], to session: SessionID, _ urgency: Urgency = .now) {
        let connection = ConnectionID(session)
        self.outbox.send(.send(connection, frame: frame, urgency), toShard: connection.shard)
    }

    private func close(_ session: SessionID, _ end: SessionEnd) {
        self.outlets.glances.end(session)
        let code: CloseCode =
            switch end {
            case .replaced: .replaced
            case .unauthorized: .unauthorized
            case .unavailable: .unavailable
            }
        let connection = ConnectionID(session)
        self.outbox.send(.close(connection, code), toShard: connection.shard)
    }

    /// Resumes `POST /v1/locations`, with the fixes that only the comparison with the clock found malformed.
    private func answer(_ request: SessionID, _ acknowledgement: Acknowledgement) {
        let malformed = self.malformed.removeValue(forKey: request) ?? []
        self.outlets.reports.resolve(
            request.rawValue,
            .success(ReportOutcome(acknowledgement: acknowledgement, malformed: malformed))
        )
    }

    // MARK: - Rosters

    private func subscribe(_ session: SessionID, to group: GroupID, resume: RosterVersion?) {
        let position = resume.map { TopicPosition(epoch: $0.epoch, version: $0.version) }
        self.outbox.subscribe(ConnectionID(session), to: RosterTopic.id(group), resume: position) {
            self.shownRosters[group].map { RosterTopic.snapshot($0, scratch: &self.scratch) }
        }
    }

    private func unsubscribe(_ session: SessionID, from group: GroupID) {
        self.outbox.unsubscribe(ConnectionID(session), from: RosterTopic.id(group))
    }

    // MARK: - Storage

    private func submit(_ record: JournalRecord, _ number: Int64) {
        self.records.append(JournalEntry(number: number, record: record))
    }
}

@available(*, unavailable)
extension WorldRunner: Sendable {}
