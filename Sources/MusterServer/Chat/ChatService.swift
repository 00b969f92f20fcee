import EventLoop
import MusterCore
import MusterWire
import Synchronization

/// The chat service: writes to rooms as soon as storage is available, and schedules the notifications.
final class ChatService: Sendable {
    /// The key of a user's rate limit in a room.
    private struct MembershipKey: Hashable {
        let room: RoomID
        let user: UserID
    }

    private let world: any WorldLink
    private let clock: MonotonicClock
    private let logger: Logger
    private let writerBox = Mutex<ChatWriter?>(nil)
    private let roomMeter: RateMeter<MembershipKey>

    private let notifier: ChatNotifier
    /// The read receipts.
    let receipts: ReadReceipts
    private let gaps = Atomic<Int64>(0)
    private let transactions = Mutex(Histogram.seconds)

    /// Creates the service.
    ///
    /// It cannot write yet.
    init(world: any WorldLink, rate: Int, clock: MonotonicClock, logger: Logger) {
        self.roomMeter = RateMeter(.chatSendInRoom(rate))
        self.world = world
        self.clock = clock
        self.logger = logger
        self.notifier = ChatNotifier(world: world, logger: logger)
        self.receipts = ReadReceipts(world: world)
    }

    /// The writer of rooms; nil while storage has not been reached since the start.
    private var writer: ChatWriter? { self.writerBox.withLock { $0 } }

    /// Starts to write to a database whose schema is up to date.
    ///
    /// - Returns: the heartbeats of the writer.
    func open(_ connectionString: String) -> [Heartbeat] {
        let logger = self.logger
        let writer = ChatWriter(
            ChatWriter.Configuration(connectionString: connectionString),
            clock: self.clock,
            log: { logger.log($0, component: "chat") },
            onTransaction: { [weak self] seconds in self?.transactions.withLock { $0.observe(seconds) } },
            onCommitted: { [weak self] in self?.noteCommitted($0) },
            onUncertain: { [weak self] in self?.suspect($0) }
        )
        self.writerBox.withLock { $0 = writer }
        return writer.heartbeats
    }

    /// Ends the connection; pending messages are not written.
    func close() async { await self.writer?.close() }

    /// The metrics of the writer, and how often clients asked for missed changes; nil before storage is available.
    var metrics: ChatMetrics? {
        self.writer.map { writer in
            ChatMetrics(
                writer: writer.metrics,
                transactions: self.transactions.withLock { $0 },
                gaps: self.gaps.load(ordering: .relaxed)
            )
        }
    }

    /// Counts a client's request for missed changes.
    func noteGap() { self.gaps.add(1, ordering: .relaxed) }

    /// Forwards committed changes: to the world first, then to the notifier.
    private func noteCommitted(_ advances: [RoomAdvance]) {
        self.world.send(.chat(.advanced(advances)))
        self.notifier.add(advances.lazy.filter { !$0.messages.isEmpty }.map(\.room))
    }

    /// Marks rooms with changes that may be committed but were not published.
    ///
    /// They are looked up until storage answers.
    private func suspect(_ rooms: [RoomID]) {
        self.world.send(.chat(.suspected(rooms)))
        self.notifier.add(rooms)
    }

    /// Publishes changes of rooms that the writer did not make: at once, or as soon as storage returns the rooms'
    /// versions.
    func noteChanged(_ rooms: [RoomID], in directory: Directory?) async {
        guard let directory else { return self.suspect(rooms) }
        do {
            try await self.publishChanged(rooms, in: directory)
        } catch {
            self.suspect(rooms)
        }
    }

    /// Publishes changes of rooms that the writer did not make.
    ///
    /// Deleted rooms are skipped.
    ///
    /// - Throws: `unavailable`.
    private func publishChanged(_ rooms: [RoomID], in directory: Directory) async throws {
        self.notifier.add(rooms)
        let heads = try await directory.roomHeads(rooms)
        if !heads.isEmpty { self.world.send(.chat(.advanced(heads))) }
    }

    /// The entry of rooms in the table of change kinds.
    ///
    /// No trigger announces a room, because its messages arrive through the writer. After a lost connection the rooms
    /// are compared nevertheless, because a message may have been lost with it.
    var changeKind: ChangeKind {
        ChangeKind(
            "room",
            isKnown: { _, _ in false },
            readAgain: { ids, directory in
                try await self.publishChanged(ids.map { RoomID($0) }, in: directory)
            },
            compare: { _, _ in
                self.world.send(.chat(.suspected(nil)))
                self.notifier.recover()
                return nil
            }
        )
    }

    /// Notifies users of messages in rooms until the task is cancelled.
    func notify(from directory: Directory) async { await self.notifier.run(directory) }

    /// Notifies an offline user of unread messages.
    func noteAway(_ user: UserID) { self.notifier.add(away: user) }

    /// Writes a user's change to a room.
    func write(
        _ action: ChatOrder.Action,
        in room: RoomID,
        by user: UserID
    ) async throws -> ChatOutcome {
        guard let writer else { throw FrameError(.unavailable, message: "Storage is unavailable.") }
        return try await writer.write(
            ChatOrder(action, in: room, by: user, at: Timestamp(milliseconds: self.clock.wallMilliseconds))
        )
    }

    /// Writes a message of the server, at most once for a key.
    func say(_ data: NotificationPayload, key: String, in room: RoomID, at moment: Timestamp) {
        self.writer?.say(ChatOrder(.say(key: key, data), in: room, by: nil, at: moment))
    }

    /// Charges the rate limit for a message of a user in a room.
    func meter(_ room: RoomID, by user: UserID) throws(FrameError) {
        try self.roomMeter.charge(1, to: MembershipKey(room: room, user: user), now: self.clock.milliseconds)
    }

    /// Posts a user's request to wait, which mentions the members who are together.
    ///
    /// - Throws: `notMember`, `gone`, `rateLimited`, `unavailable`.
    func wait(_ request: GroupWait, by user: UserID, _ directory: Directory) async throws -> ChatMessage {
        let room = request.group.room
        let earlier = try await directory.earlierWait(in: room, by: user, key: request.key)
        let audience = try await directory.waitAudience(of: request.group, for: user)
        if let earlier { return earlier }
        guard let audience else {
            throw FrameError(
                .gone,
                message: "Only a member who is absent or was alerted within the last hour can ask to wait."
            )
        }
        var data: [NotificationPayload.Field] = [.init("gathering", .text(audience.gathering.description))]
        data.append(.init("eta", request.eta.map { .integer(Int64($0)) } ?? .null))
        data.append(.init("distance", audience.distance.map { .number(($0 * 10).rounded() / 10) } ?? .null))
        let draft = ChatOrder.Draft(
            key: request.key,
            kind: .wait,
            mentions: audience.together,
            data: NotificationPayload(data)
        )
        return try await self.write(.send(draft), in: room, by: user).message
    }
}

/// The metrics of rooms.
struct ChatMetrics: Sendable {
    let writer: ChatWriter.Metrics
    /// The durations of transactions in seconds.
    let transactions: Histogram
    /// How often clients asked for missed changes.
    let gaps: Int64
}
