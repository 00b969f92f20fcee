import CLibWebSockets
import EventLoop
import Glibc
import MusterWire
import Synchronization

// One thread's connections, requests and topics.
//
// Invariants
// - A connection is in `connections` from ESTABLISHED to CLOSED; the application hears of it exactly then.
// - Everything that a connection may be sent is written in `flush`, once a turn, in one write, as `TurnPlan` decides. While
//   the kernel takes nothing (`blockedSince`), nothing is written and topics conflate: `outgoing` names each subscription at
//   most once, so it is bounded by the number of subscriptions and by `queuedBytes`.
// - Nothing here closes a socket from inside one of its callbacks but by the callback's answer.
// - `scratch` is lent to libwebsockets, which writes it, and tells meanwhile of no event that writes too (`socketEvent`).

/// Everything of a shard that does not depend on the application's types.
final class ShardCore: GatewayShard {
    let index: Int
    let clock: MonotonicClock
    let configuration: GatewayConfiguration
    let kinds: TopicKinds
    let counters: ShardCounters
    let shared: GatewayShared
    let heartbeat: Heartbeat
    /// Posts a command to this shard from any thread.
    let post: @Sendable (GatewayCommand) -> Void
    let origins: OriginPolicy
    /// Set while the shard's thread runs.
    var events: (any ShardEvents)?
    /// Owned by the shard, which outlives every use of it here.
    weak var loop: ServiceLoop?
    var drain: Drain?

    var connections = IdentityTable<ConnectionID, Connection>()
    var exchanges: [RequestID: HTTPExchange] = [:]
    var channels = IdentityTable<TopicID, TopicChannel>()
    /// What is written at the end of the turn, and to whom.
    var plan: TurnPlan
    var scratch: [UInt8] = []
    var identities: IdentityGenerator
    var isAllPaused = false
    /// The host that the last client named.
    var lastHost: String?
    var framePool = FramePool()
    /// Channels that keep frames for others who want the same.
    var framedChannels: [TopicChannel] = []
    /// Channels that keep the tail of a log.
    var tailedChannels: [TopicChannel] = []
    var nextSweep: Int64 = 0
    /// Connections of which a frame broke the protocol in this turn.
    var brokenConnections: [Connection] = []

    /// A whole message with its padding, for the call of `frameReceived`.
    let inbox: UnsafeMutableRawBufferPointer
    /// Bytes that may be read after the end of a message.
    static let padding = FrameDecoder.padding

    var wheel: TimerWheel<WheelToken>
    var expired: [WheelToken] = []
    var turnTime: Int64?

    init(
        index: Int,
        configuration: GatewayConfiguration,
        kinds: TopicKinds,
        clock: MonotonicClock,
        counters: ShardCounters,
        shared: GatewayShared,
        heartbeat: Heartbeat = Heartbeat("gateway"),
        post: @escaping @Sendable (GatewayCommand) -> Void
    ) {
        self.index = index
        self.configuration = configuration
        self.kinds = kinds
        self.clock = clock
        self.counters = counters
        self.shared = shared
        self.heartbeat = heartbeat
        self.plan = TurnPlan(topicPacer: configuration.timing.topicPacer)
        self.post = post
        self.origins = OriginPolicy(named: configuration.allowedOrigins)
        self.identities = IdentityGenerator(
            node: configuration.node,
            shard: index,
            startMilliseconds: clock.wallMilliseconds
        )
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
        case .now: self.plan.enqueueDeferred(of: connection)
        case .soon: break
        }
        connection.outgoing.append(.text(frame))
        connection.queuedBytes += Int32(clamping: frame.count)
        self.plan.write(to: connection, urgency, at: Pacer.now)
        if connection.queuedBytes > self.configuration.limits.queuedBytes, connection.blockedSince != nil {
            self.close(connection, .tooSlow)
        }
    }

    func close(_ connection: Connection, _ code: CloseCode, patience: Int64 = 5000) {
        guard connection.isOpen else { return }
        self.plan.enqueueDeferred(of: connection)
        connection.state = .closing(code)
        self.plan.write(to: connection, at: Pacer.now)
        self.schedule(.closeDeadline(connection.id), after: patience)
    }

    func setPaused(_ isPaused: Bool, _ connection: Connection) {
        guard connection.isPaused != isPaused else { return }
        connection.isPaused = isPaused
        if !self.isAllPaused { connection.socket.setReading(!isPaused) }
    }

    func pauseAllReading() { self.setAllPaused(true) }
    func resumeAllReading() { self.setAllPaused(false) }

    private func setAllPaused(_ isAllPaused: Bool) {
        guard self.isAllPaused != isAllPaused else { return }
        self.isAllPaused = isAllPaused
        for connection in self.connections.values where !connection.isPaused {
            connection.socket.setReading(!isAllPaused)
        }
    }
}

@available(*, unavailable)
extension ShardCore: Sendable {}

// MARK: - Turns

extension ShardCore: ServiceLoopEvents {
    func wakeSignalled() { self.events?.commandsWaiting() }

    func turnEnded() {
        // The next turn comes by itself: see `GatewayConfiguration.Timing.resolution`.
        self.heartbeat.begin()
        self.events?.turnEnded()
        self.closeBroken()
        self.endTopicRests()
        self.flush()
        self.turnTime = nil
        let pause = self.plan.endTurn()
        guard pause > 0 else { return }
        var time = timespec(tv_sec: 0, tv_nsec: Int(pause))
        nanosleep(&time, nil)
    }

    /// Lets be told what was deferred of topics that have rested for long enough.
    private func endTopicRests() {
        guard let rest = self.plan.endRests(at: Pacer.now) else { return }
        // A busy loop turns earlier by itself; a wake of its own for each topic would cost more than it is worth.
        self.loop?.turn(after: rest / 1_000_000 + 1)
    }

    func socketEvent(
        _ reason: lws_callback_reasons,
        _ handle: SocketHandle,
        _ socket: Socket,
        _ bytes: UnsafeMutableRawPointer?,
        _ count: Int
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_SERVER_WRITEABLE:
            if case .connection(let connection) = socket.use { self.becameWritable(connection) }
            return 0
        case LWS_CALLBACK_RECEIVE_PONG:
            if case .connection(let connection) = socket.use { connection.lastReceived = self.now }
            return 0
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return self.confirmUpgrade(handle, socket)
        case LWS_CALLBACK_ESTABLISHED: return self.established(handle, socket)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            return self.peerClosed(UnsafeRawBufferPointer(start: bytes, count: count), socket)
        case LWS_CALLBACK_CLOSED: return self.closed(handle, socket)
        case LWS_CALLBACK_HTTP:
            return self.requestStarted(handle, socket)
        case LWS_CALLBACK_HTTP_BODY:
            return self.bodyReceived(UnsafeRawBufferPointer(start: bytes, count: count), socket)
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return self.bodyEnded(socket)
        case LWS_CALLBACK_HTTP_WRITEABLE: return self.writeAnswer(handle, socket)
        case LWS_CALLBACK_WSI_DESTROY: return self.destroyed(handle, socket)
        default: return Self.changesNothing(reason) ? 0 : -1
        }
    }
}
