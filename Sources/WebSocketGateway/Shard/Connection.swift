package import MusterWire

/// An open WebSocket, confined to its shard's thread.
package final class Connection {
    /// An entry of the output queue, in command order.
    enum Outgoing {
        /// The payload of a text frame.
        case text([UInt8])
        /// The newest state of a topic at the time of the write.
        case topic(Subscription)
    }

    // `indirect` stores the payload outside of the connection, which is open nearly all its life.
    indirect enum State {
        case open
        /// The close frame is queued behind other output.
        case closing(CloseCode)
        /// The close frame has been written, and the client's answer is pending.
        case closeSent(CloseCode)
        case gone
    }

    /// The number of cache lines that contain the fields of a tick.
    static let busyLines = 2

    // The fields are in memory order: those for reading, queueing and writing are in the first two cache lines. Ten
    // thousand connections do not fit in a cache, and a tick would wait for four lines of each.
    var state = State.open
    var outgoing = InlineQueue<Outgoing>()
    /// Whether a timer for the write deadline is scheduled.
    var isWriteWatched = false
    var isEstablished = false
    /// The code of the client's close frame; 0 before it arrives.
    var peerCode: UInt16 = 0
    // Not an `Optional`, which would double the size.
    private var blockedMoment = Int64.min
    private var waitingMoment = Int64.min
    private var followerNumber = Int64.min
    let socket: ConnectionSocket
    // These fields fill the rest of a word that the socket has begun.
    /// Whether output is written at the end of the tick.
    var isDue = false
    var owesPing = false
    /// Whether `pongs` is not empty.
    var owesPong = false
    var isPaused = false
    /// The size of the direct responses in `outgoing`, in bytes.
    var queuedBytes: Int32 = 0
    /// The application's state of the connection, with the same lifetime.
    package var attachment: AnyObject?
    /// The time of the last input from the client.
    var lastReceived: Int64
    /// The beginning of an incomplete message.
    var partial: [UInt8] = []

    /// Pong frames to write.
    var pongs: [UInt8] = []
    var subscriptions = FollowedTopics()
    private var acknowledgedCount = UInt64.max
    private unowned let core: ShardCore
    /// The connection's id.
    package let id: ConnectionID
    /// The host with its port from the client's request; nil when it is missing.
    package let host: String?
    /// The client's network address, as far as the operator's own proxies report it; nil when it is unknown.
    package let address: String?

    init(
        id: ConnectionID,
        host: String?,
        address: String?,
        socket: ConnectionSocket,
        core: ShardCore,
        now: Int64
    ) {
        self.id = id
        self.host = host
        self.address = address
        self.socket = socket
        self.core = core
        self.lastReceived = now
    }

    /// The negotiated subprotocol.
    package var subprotocol: String { self.socket.subprotocol }

    /// The key of the topic entries about the client itself, for kinds whose rules depend on it; nil for none.
    ///
    /// Set it before the connection subscribes to a topic.
    package var followerKey: Int64? {
        get { self.followerNumber == .min ? nil : self.followerNumber }
        set { self.followerNumber = newValue ?? .min }
    }

    /// The time at which the kernel stopped accepting bytes or last made progress; nil while it accepts bytes.
    var blockedSince: Int64? {
        get { self.blockedMoment == .min ? nil : self.blockedMoment }
        set { self.blockedMoment = newValue ?? .min }
    }

    /// The time since which `.soon` output waits for the next write, in nanoseconds; nil while there is none.
    var waitsSince: Int64? {
        get { self.waitingMoment == .min ? nil : self.waitingMoment }
        set { self.waitingMoment = newValue ?? .min }
    }

    /// The number of bytes that the client had acknowledged at the last check.
    var acknowledgedBytes: UInt64? {
        get { self.acknowledgedCount == .max ? nil : self.acknowledgedCount }
        set { self.acknowledgedCount = newValue ?? .max }
    }

    /// Whether the client has sent a close frame.
    ///
    /// libwebsockets answers it with the only close frame that may be sent.
    var isClosedByPeer: Bool { self.peerCode != 0 }

    var isOpen: Bool {
        switch self.state {
        case .open: true
        case .closing, .closeSent, .gone: false
        }
    }

    /// Queues one text frame.
    package func send(_ frame: [UInt8], _ urgency: Urgency = .now) { self.core.send(frame, on: self, urgency) }

    /// Closes the connection after the queued output.
    ///
    /// Further frames are not read.
    package func close(_ code: CloseCode) { self.core.close(self, code) }

    /// Cancels the `hello` deadline.
    package func markEstablished() { self.isEstablished = true }

    /// Stops reading the socket, so that TCP slows the client down.
    package func pauseReading() { self.core.setPaused(true, self) }

    /// Resumes reading the socket.
    package func resumeReading() { self.core.setPaused(false, self) }

    /// Schedules a call of `GatewayApplication.timerFired` with `token` after `milliseconds`.
    package func timer(after milliseconds: Int64, token: UInt8) {
        self.core.schedule(.application(self.id, token), after: milliseconds)
    }
}

@available(*, unavailable)
extension Connection: Sendable {}
