import CLibWebSockets
import EventLoop
import Glibc
import MusterWire
import Synchronization

// The connections, requests and topics of one thread.
//
// Invariants
// - A connection is in `connections` from ESTABLISHED to CLOSED. The application is notified exactly at these two
//   events.
// - All output of a connection is written in `flush`, once a tick, in one write, as `WritePlan` decides. While the
//   kernel accepts nothing (`blockedSince`), nothing is written and topics conflate: `outgoing` contains each
//   subscription at most once, so it is bounded by the number of subscriptions and by `queuedBytes`.
// - A socket is closed from inside its own callback only by the callback's return value.
// - `scratch` is lent to libwebsockets during a write. Meanwhile the library reports no event that writes too
//   (`socketEvent`).

/// The part of a shard that does not depend on the application's types.
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
    /// Nil when the shard's thread has ended.
    var events: (any ShardEvents)?
    /// Owned by the shard, which outlives every use of it here.
    weak var loop: ServiceLoop?
    var drain: Drain?

    var connections = IdentityTable<ConnectionID, Connection>()
    var exchanges: [RequestID: HTTPExchange] = [:]
    var channels = IdentityTable<TopicID, TopicChannel>()
    /// The output due at the end of the tick, and its connections.
    var plan: WritePlan
    var scratch: [UInt8] = []
    var identities: IdentityGenerator
    var isAllPaused = false
    /// The host of the last client.
    var lastHost: String?
    var framePool = FramePool()
    /// Channels with cached frames, which serve several subscribers.
    var framedChannels: [TopicChannel] = []
    /// Channels with the tail of a log.
    var tailedChannels: [TopicChannel] = []
    var nextSweep: Int64 = 0
    /// Connections with a frame that violated the protocol in this tick.
    var brokenConnections: [Connection] = []

    /// A whole message with its padding, for the call of `frameReceived`.
    let inbox: UnsafeMutableRawBufferPointer
    /// The number of readable bytes after the end of a message.
    static let padding = FrameDecoder.padding

    var wheel: TimerWheel<WheelToken>
    var expired: [WheelToken] = []
    var iterationTime: Int64?

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
        self.plan = WritePlan(topicPacer: configuration.timing.topicPacer)
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
        if let iterationTime = self.iterationTime { return iterationTime }
        let time = self.clock.milliseconds
        self.iterationTime = time
        return time
    }

    func connection(_ id: ConnectionID) -> Connection? { self.connections[id] }

    // MARK: Requests of connections

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

    func close(_ connection: Connection, _ code: CloseCode, timeout: Int64 = 5000) {
        guard connection.isOpen else { return }
        self.plan.enqueueDeferred(of: connection)
        connection.state = .closing(code)
        self.plan.write(to: connection, at: Pacer.now)
        self.schedule(.closeDeadline(connection.id), after: timeout)
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

// MARK: - Ticks

extension ShardCore: ServiceLoopEvents {
    func wakeSignalled() { self.events?.commandsWaiting() }

    func iterationEnded() {
        // The next tick starts by itself: see `GatewayConfiguration.Timing.resolution`.
        self.heartbeat.begin()
        self.events?.iterationEnded()
        self.closeBroken()
        self.endTopicThrottling()
        self.flush()
        self.iterationTime = nil
        let pause = self.plan.endIteration()
        guard pause > 0 else { return }
        var time = timespec(tv_sec: 0, tv_nsec: Int(pause))
        nanosleep(&time, nil)
    }

    /// Sends the deferred updates of topics whose throttle interval is over.
    private func endTopicThrottling() {
        guard let rest = self.plan.endThrottling(at: Pacer.now) else { return }
        // A busy loop ticks earlier by itself. A separate wake for each topic would cost more than it gains.
        self.loop?.iterate(after: rest / 1_000_000 + 1)
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
