import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Synchronization

/// Where rooms are written to, from the moment at which storage is there, and who is told of it.
final class ChatDesk: Sendable {
    /// Names what a person may do in a room only so often.
    private struct Seat: Hashable {
        let room: RoomID
        let user: UserID
    }

    private let world: any WorldLink
    private let clock: MonotonicClock
    private let logger: Logger
    private let writerBox = Mutex<ChatWriter?>(nil)
    private let roomMeter = RateMeter<Seat>(.chatSendInRoom)

    private let teller: ChatTeller
    /// How far people have read.
    let marks: ReadMarks
    private let gaps = Atomic<Int64>(0)
    private let transactions = Mutex(Histogram.seconds)

    /// Prepares a desk.
    init(world: any WorldLink, clock: MonotonicClock, logger: Logger) {
        self.world = world
        self.clock = clock
        self.logger = logger
        self.teller = ChatTeller(world: world, logger: logger)
        self.marks = ReadMarks(world: world)
    }

    /// What writes rooms; nil while storage has not been reached since the start.
    private var writer: ChatWriter? { self.writerBox.withLock { $0 } }

    /// Begins to write to a database whose schema is up to date.
    ///
    /// - Returns: the heartbeats of what writes.
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

    /// Ends the connection; what waits is not written.
    func close() async { await self.writer?.close() }

    /// What was written so far, and how often clients have asked for what they were not told; nil before storage is there.
    var metrics: ChatMetrics? {
        self.writer.map { writer in
            ChatMetrics(
                writer: writer.metrics,
                transactions: self.transactions.withLock { $0 },
                gaps: self.gaps.load(ordering: .relaxed)
            )
        }
    }

    /// Notes that a client asks for what it was not told.
    func noteGap() { self.gaps.add(1, ordering: .relaxed) }

    /// Takes in what was committed: the world hears of it first.
    private func noteCommitted(_ advances: [RoomAdvance]) {
        self.world.send(.chat(.advanced(advances)))
        self.teller.add(advances.lazy.filter { !$0.messages.isEmpty }.map(\.room))
    }

    /// Has it looked up what may have been committed in rooms without anybody being told, until storage says it.
    private func suspect(_ rooms: [RoomID]) {
        self.world.send(.chat(.suspected(rooms)))
        self.teller.add(rooms)
    }

    /// Takes in that rooms were changed by something else than the writer: at once, or as soon as storage says how far they are.
    func noteChanged(_ rooms: [RoomID], in directory: Directory) async {
        guard !rooms.isEmpty else { return }
        do throws(DirectoryError) {
            try await self.settleChanged(rooms, in: directory)
        } catch {
            self.suspect(rooms)
        }
    }

    /// Takes in that rooms were changed by something else than the writer; those that are gone are left out.
    ///
    /// - Throws: `unavailable`.
    func settleChanged(_ rooms: [RoomID], in directory: Directory) async throws(DirectoryError) {
        self.teller.add(rooms)
        let heads = try await directory.roomHeads(rooms)
        if !heads.isEmpty { self.world.send(.chat(.advanced(heads))) }
    }

    /// The rooms' line in the table of kinds.
    ///
    /// No trigger announces a room, for its messages come by the writer; but after the connection was lost they are compared,
    /// for what was lost with it may be one.
    var changeKind: ChangeKind {
        ChangeKind(
            "room",
            isKnown: { _, _ in false },
            readAgain: { (ids, directory) async throws(DirectoryError) in
                try await self.settleChanged(ids.map { RoomID($0) }, in: directory)
            },
            compare: { (_) async throws(DirectoryError) in
                self.world.send(.chat(.suspected(nil)))
                self.teller.recover()
            }
        )
    }

    /// Tells people what they are to hear of rooms, until the task is cancelled.
    func tell(from directory: Directory) async { await self.teller.run(directory) }

    /// Tells a person who is no longer there that there is something to read.
    func noteAway(_ user: UserID) { self.teller.add(away: user) }

    /// Writes something that somebody wants to have written.
    func write(
        _ action: ChatOrder.Action,
        in room: RoomID,
        by user: UserID
    ) async throws(DirectoryError) -> ChatOutcome {
        guard let writer else { throw DirectoryError(.unavailable, "storage is away") }
        return try await writer.write(
            ChatOrder(action, in: room, by: user, at: Timestamp(milliseconds: self.clock.wallMilliseconds))
        )
    }

    /// Writes something that the server says, once for a key.
    func say(_ data: NotificationPayload, key: String, in room: RoomID, at moment: Timestamp) {
        self.writer?.say(ChatOrder(.say(key: key, data), in: room, by: nil, at: moment))
    }

    /// Counts a message of a person in a room.
    func meter(_ room: RoomID, by user: UserID) throws(FrameError) {
        try self.roomMeter.charge(1, to: Seat(room: room, user: user), now: self.clock.milliseconds)
    }

    /// Asks those who are together to wait.
    ///
    /// - Throws: `notMember`, `gone`, `rateLimited`, `unavailable`.
    func wait(_ request: GroupWait, by user: UserID, _ directory: Directory) async throws(DirectoryError) -> ChatMessage
    {
        let room = request.group.room
        let earlier = try await directory.earlierWait(in: room, by: user, key: request.key)
        let audience = try await directory.waitAudience(of: request.group, for: user)
        if let earlier { return earlier }
        guard let audience else { throw DirectoryError(.gone, "nobody waits any more") }
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

/// What is known of rooms that are written to.
struct ChatMetrics: Sendable {
    let writer: ChatWriter.Metrics
    /// How many seconds transactions took.
    let transactions: Histogram
    /// How often clients asked for changes that they were not told.
    let gaps: Int64
}
