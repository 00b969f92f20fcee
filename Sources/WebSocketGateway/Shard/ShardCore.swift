import CLibWebSockets
import EventLoop
import MusterWire
import Synchronization

// One thread's connections, requests and topics.
//
// Invariants
// - A connection is in `connections` from ESTABLISHED to CLOSED; the application hears of it exactly then.
// - A connection is in `dirty` at most once (`isDirty`), and everything it may be sent is written in `flush`, once a
//   turn, in one write; what is only wanted soon waits for that (`boardedAt`), or for a slot of the wheel, which finds
//   the connection in `rides`. While the kernel takes nothing (`blockedSince`), nothing is written and topics conflate:
//   `outgoing` names each subscription at most once (`Subscription.isQueued`), so it is bounded by the number of
//   subscriptions and by `queuedBytes`.
// - A channel is in `resting` at most once (`isResting`), in the order of writing. While it rests nobody is queued for a
//   move (`held`): an answer that is wanted now takes along what is held of its connection's topics.
// - Nothing here closes a socket from inside one of its callbacks but by the callback's answer.
// - What is `@exclusivity(unchecked)`, here and in the types beside, is touched for every fix, and to keep account of each access
//   took 1 % of the thread. Each is one statement that calls nothing which could come back to it. Other code runs during two of
//   them: `scratch` is lent to libwebsockets, which writes it, and tells meanwhile of no event that writes too (`socketEvent`);
//   a channel's topic is read by the `TopicFormat`, which depends on its arguments alone.

/// Everything of a shard that does not depend on the application's types.
final class ShardCore: GatewayShard {
    let index: Int
    let clock: MonotonicClock
    let configuration: GatewayConfiguration
    let format: any TopicFormat
    let counters: ShardCounters
    let shared: GatewayShared
    /// Posts a command to this shard from any thread.
    let post: @Sendable (GatewayCommand) -> Void
    let origins: OriginPolicy
    /// Set while the shard's thread runs.
    var events: (any ShardEvents)?
    /// Owned by the shard, which outlives every use of it here.
    weak var loop: ServiceLoop?
    var drain: Drain?
    /// How often it was written what turns had queued.
    var flushes: UInt64 = 0

    var connections = IdentityTable<ConnectionID, Connection>()
    var exchanges: [RequestID: HTTPExchange] = [:]
    var channels = IdentityTable<TopicID, TopicChannel>()
    @exclusivity(unchecked) var dirty: [Connection?] = []
    private var rides = RideQueue()
    /// What writing a turn's frames cost lately, in nanoseconds of the thread's own time.
    var writingCost: Int64 = 0
    /// How long writing a turn's frames took lately, in nanoseconds: more than it cost where others have the processor in between.
    var writingTime: Int64 = 0
    /// While writing takes long, what comes in between waits in its sockets, to be read with one wake.
    ///
    /// With 30,000 fixes a second a shard's time for each is less by a quarter. Rests twice as long made batches, and with them
    /// every delay behind them, longer, and saved no more than a twentieth.
    private static let pacer = Pacer(share: 1, shortest: 400_000, longest: 1_500_000)
    /// The share of the time that goes into writing.
    var writing = DutyCycle()
    /// How long a ride lasts for each share of the time that goes into writing beyond the first, and how long at most, in
    /// nanoseconds.
    ///
    /// With 10,000 sessions and 20,000 fixes a second half of all writes would else carry nothing but an acknowledgement,
    /// for the next frame comes after half a second. At 2,000 a second it comes after five, and there is nothing to wait for.
    /// A session must hear within a second.
    private static let ridePerShare = 6e9
    private static let shareWithoutRides = 0.17
    private static let longestRide = 0.5e9
    /// For how long a topic that is written now rests, in nanoseconds; 0 while writing is cheap.
    var topicRest: Int64 = 0
    /// Topics whose subscribers were queued in this turn, and that rest from then on.
    var announced: [TopicChannel] = []
    /// Topics that were written lately, in that order.
    var resting = ArrivalQueue<RestingTopic>()
    /// How many of those have moved since.
    var heldTopics = 0
    @exclusivity(unchecked) var scratch: [UInt8] = []
    var identities: IdentityGenerator
    var isAllPaused = false
    /// The host that the last client named.
    var lastHost: String?
    var framePool = FramePool()
    /// Channels that keep frames for others who want the same.
    var framedChannels: [TopicChannel] = []
    private var nextSweep: Int64 = 0

    /// A whole message with its padding, for the call of `frameReceived`.
    let inbox: UnsafeMutableRawBufferPointer
    /// Bytes that may be read after the end of a message.
    static let padding = 64

    private var wheel: TimerWheel<WheelToken>
    private var expired: [WheelToken] = []
    private var turnTime: Int64?

    init(
        index: Int,
        configuration: GatewayConfiguration,
        format: any TopicFormat,
        clock: MonotonicClock,
        counters: ShardCounters,
        shared: GatewayShared,
        post: @escaping @Sendable (GatewayCommand) -> Void
    ) {
        self.index = index
        self.configuration = configuration
        self.format = format
        self.clock = clock
        self.counters = counters
        self.shared = shared
        self.post = post
        self.origins = OriginPolicy(named: configuration.allowedOrigins)
        self.identities = IdentityGenerator(shard: index, startMilliseconds: clock.wallMilliseconds)
        self.wheel = TimerWheel(now: clock.milliseconds, resolution: configuration.timing.resolution)
        self.inbox = .allocate(byteCount: configuration.limits.messageBytes + Self.padding, alignment: 64)
        self.inbox.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { self.inbox.deallocate() }

    var now: Int64 {
        if let turnTime = self.turnTime { return turnTime }
        let time = self.clock.milliseconds
        self.turnTime = time
        return time
    }

    func connection(_ id: ConnectionID) -> Connection? { self.connections[id] }

    // MARK: What connections may be asked

    func send(_ frame: [UInt8], on connection: Connection, _ urgency: Urgency = .now) {
        guard connection.isOpen else { return }
        switch urgency {
        case .now: self.enqueueHeld(of: connection)
        case .soon: break
        }
        connection.outgoing.append(.text(frame))
        connection.queuedBytes += frame.count
        self.mark(connection, urgency)
        if connection.queuedBytes > self.configuration.limits.queuedBytes, connection.blockedSince != nil {
            self.close(connection, .tooSlow)
        }
    }

    func close(_ connection: Connection, _ code: CloseCode) {
        guard connection.isOpen else { return }
        self.enqueueHeld(of: connection)
        connection.state = .closing(code)
        self.markDirty(connection)
        self.schedule(.closeDeadline(connection.id), after: 5000)
    }

    func setPaused(_ isPaused: Bool, _ connection: Connection) {
        guard connection.isPaused != isPaused else { return }
        connection.isPaused = isPaused
        if !self.isAllPaused { connection.handle.setReading(!isPaused) }
    }

    func pauseAllReading() { self.setAllPaused(true) }
    func resumeAllReading() { self.setAllPaused(false) }

    private func setAllPaused(_ isAllPaused: Bool) {
        guard self.isAllPaused != isAllPaused else { return }
        self.isAllPaused = isAllPaused
        for connection in self.connections.values where !connection.isPaused {
            connection.handle.setReading(!isAllPaused)
        }
    }

    func markDirty(_ connection: Connection) {
        guard !connection.isDirty else { return }
        connection.isDirty = true
        self.dirty.append(connection)
    }

    /// Lets what waits for a connection be written.
    func mark(_ connection: Connection, _ urgency: Urgency) {
        switch urgency {
        case .now: self.markDirty(connection)
        case .soon:
            guard !connection.isDirty, connection.boardedAt == nil else { return }
            self.rides.append(connection, at: Pacer.now)
        }
    }

    /// Lets be written what has found nothing to go along with for long enough.
    private func endRides() {
        guard !self.rides.isEmpty else { return }
        let time = Pacer.now
        let share = max(0, self.writing.share - Self.shareWithoutRides)
        let ride = Int64(min(Self.longestRide, Self.ridePerShare * share))
        while let connection = self.rides.popFirst(boardedBy: time - ride) { self.markDirty(connection) }
    }

    func schedule(_ token: WheelToken, after milliseconds: Int64) {
        self.wheel.schedule(token, at: self.now + milliseconds)
    }
}

@available(*, unavailable)
extension ShardCore: Sendable {}

// MARK: - Turns

extension ShardCore: ServiceLoopEvents {
    func wakeSignalled() { self.events?.commandsWaiting() }

    func timeAdvanced() {
        self.turnTime = nil
        self.writing.sample(at: Pacer.now)
        self.endRides()
        self.wheel.advance(to: self.now, into: &self.expired)
        // Swapped out, because what fires may schedule; and back, so that a turn without timers allocates nothing.
        var expired: [WheelToken] = []
        swap(&expired, &self.expired)
        for token in expired { self.fire(token) }
        expired.removeAll(keepingCapacity: true)
        swap(&expired, &self.expired)
        self.sweepFrames()
        self.continueDrain()
    }

    func turnEnded() {
        self.events?.turnEnded()
        self.endTopicRests()
        self.flush()
        self.turnTime = nil
        Self.pacer.rest(cost: self.writingTime, elapsed: 0)
        self.writingTime -= self.writingTime / 4
        self.writingCost -= self.writingCost / 4
        self.topicRest = self.configuration.timing.topicPacer.pause(cost: self.writingCost, elapsed: 0)
    }

    func socketEvent(
        _ reason: lws_callback_reasons,
        _ handle: SocketHandle,
        _ socket: Socket,
        _ bytes: UnsafeMutableRawPointer?,
        _ count: Int
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_SERVER_WRITEABLE: return self.becameWritable(socket)
        case LWS_CALLBACK_RECEIVE_PONG:
            if case .connection(let connection) = socket.use { connection.lastHeard = self.now }
            return 0
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return self.confirmUpgrade(handle, socket)
        case LWS_CALLBACK_ESTABLISHED: return self.established(handle, socket)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            return self.peerClosed(UnsafeRawBufferPointer(start: bytes, count: count), socket)
        case LWS_CALLBACK_CLOSED: return self.closed(handle, socket)
        case LWS_CALLBACK_HTTP: return self.requestStarted(handle, socket)
        case LWS_CALLBACK_HTTP_BODY:
            return self.bodyReceived(UnsafeRawBufferPointer(start: bytes, count: count), socket)
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return self.bodyEnded(socket)
        case LWS_CALLBACK_HTTP_WRITEABLE: return self.writeAnswer(handle, socket)
        case LWS_CALLBACK_WSI_DESTROY: return self.destroyed(handle, socket)
        default: return 0
        }
    }

    /// Lets go, once a second, of frames that were joined for many: whoever is up to date wants none of them again.
    private func sweepFrames() {
        guard !self.framedChannels.isEmpty, self.now >= self.nextSweep else { return }
        self.nextSweep = self.now + 1000
        for channel in self.framedChannels { channel.dropFrames() }
        self.framedChannels.removeAll()
    }

    private func fire(_ token: WheelToken) {
        switch token {
        case .helloDeadline(let id):
            guard let connection = self.connections[id], !connection.isEstablished else { return }
            self.close(connection, .timedOut)
        case .heartbeat(let id):
            guard let connection = self.connections[id], connection.isOpen else { return }
            let interval = self.configuration.timing.pingInterval
            // A connection that is not being read cannot be heard either.
            if connection.isPaused || self.isAllPaused { connection.lastHeard = self.now }
            let patience = connection.lastHeard + 2 * interval - self.now
            guard patience > 0 else { return self.close(connection, .timedOut) }
            connection.owesPing = true
            self.markDirty(connection)
            self.schedule(token, after: min(interval, patience))
        case .writeDeadline(let id):
            guard let connection = self.connections[id] else { return }
            self.checkWriting(connection)
        case .closeDeadline(let id):
            self.connections[id]?.handle.kill()
        case .bodyDeadline(let id): self.bodyIsLate(id)
        case .bodyEnded(let id): self.bodyHasEnded(id)
        case .answerDeadline(let id): self.checkAnswer(id)
        case .refusalDeadline(let id): self.cut(id)
        case .application(let id, let token):
            guard let connection = self.connections[id], connection.isOpen else { return }
            self.events?.timerFired(token, on: connection)
        }
    }
}
