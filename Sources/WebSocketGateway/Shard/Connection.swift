package import MusterWire

/// One open WebSocket, for use on its shard's thread alone.
package final class Connection {
    /// What waits to be written, in command order.
    enum Outgoing {
        /// The payload of a text frame.
        case text([UInt8])
        /// The newest of a topic, whatever that is when its turn comes.
        case topic(Subscription)
    }

    // Apart from the connection, which is open nearly all its life.
    indirect enum State {
        case open
        /// The close frame waits behind what is queued.
        case closing(CloseCode)
        /// The close frame has been written, and the client's answer is awaited.
        case closeSent(CloseCode)
        case gone
    }

    /// The lines of memory that hold what a turn needs.
    static let busyLines = 2

    // In the order in which memory holds them: what is needed to read, to queue and to write lies in the first two lines.
    // Ten thousand connections fit no cache, and a turn would wait for four lines of each.
    var state = State.open
    var outgoing = InlineQueue<Outgoing>()
    /// Whether the wheel will look whether bytes still flow.
    var isWriteWatched = false
    var isEstablished = false
    /// The number in the client's close frame; 0 before there is one.
    var peerCode: UInt16 = 0
    // Without an `Optional`, which would take as much again.
    private var blockedMoment = Int64.min
    private var waitingMoment = Int64.min
    private var followerNumber = Int64.min
    let socket: ConnectionSocket
    // These fill the rest of a word that the socket has begun.
    /// Whether something is written at the end of the turn.
    var isDue = false
    var owesPing = false
    /// Whether `pongs` has some.
    var owesPong = false
    var isPaused = false
    /// Bytes of the single answers in `outgoing`.
    var queuedBytes: Int32 = 0
    /// What the application knows of the connection; lives as long as it does.
    package var attachment: AnyObject?
    /// When something came from the client last.
    var lastReceived: Int64
    /// The beginning of a message whose end has not come yet.
    var partial: [UInt8] = []

    /// Frames that answer pings.
    var pongs: [UInt8] = []
    var subscriptions = FollowedTopics()
    private var acknowledgedCount = UInt64.max
    private unowned let core: ShardCore
    /// The connection's name.
    package let id: ConnectionID
    /// The host, with its port, by which the client reached the server; nil when it did not say.
    package let host: String?
    /// The network address that the client comes from, as far as our own proxies say; nil when nobody knows.
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

    /// The subprotocol that was agreed.
    package var subprotocol: String { self.socket.subprotocol }

    /// The key of the topic entries that are about the client itself, for kinds whose rules look at it; nil for none.
    ///
    /// Set before the connection follows a topic.
    package var followerKey: Int64? {
        get { self.followerNumber == .min ? nil : self.followerNumber }
        set { self.followerNumber = newValue ?? .min }
    }

    /// When the kernel stopped taking bytes, or was last seen to get rid of some; nil while it takes them.
    var blockedSince: Int64? {
        get { self.blockedMoment == .min ? nil : self.blockedMoment }
        set { self.blockedMoment = newValue ?? .min }
    }

    /// Since when something waits to go along with the next write, in nanoseconds; nil while nothing does.
    var waitsSince: Int64? {
        get { self.waitingMoment == .min ? nil : self.waitingMoment }
        set { self.waitingMoment = newValue ?? .min }
    }

    /// What the client had acknowledged when it was last looked at.
    var acknowledgedBytes: UInt64? {
        get { self.acknowledgedCount == .max ? nil : self.acknowledgedCount }
        set { self.acknowledgedCount = newValue ?? .max }
    }

    /// Whether the client has closed its end: libwebsockets answers that with the only close frame that may go out.
    var isClosedByPeer: Bool { self.peerCode != 0 }

    var isOpen: Bool {
        switch self.state {
        case .open: true
        case .closing, .closeSent, .gone: false
        }
    }

    /// Queues one text frame.
    package func send(_ frame: [UInt8], _ urgency: Urgency = .now) { self.core.send(frame, on: self, urgency) }

    /// Closes after what is queued has been written; further frames are not read.
    package func close(_ code: CloseCode) { self.core.close(self, code) }

    /// Lifts the `hello` deadline.
    package func markEstablished() { self.isEstablished = true }

    /// Stops reading the socket, so that TCP slows the client down.
    package func pauseReading() { self.core.setPaused(true, self) }

    /// Reads the socket again.
    package func resumeReading() { self.core.setPaused(false, self) }

    /// Lets `GatewayApplication.timerFired` be called with `token` once `milliseconds` have passed.
    package func timer(after milliseconds: Int64, token: UInt8) {
        self.core.schedule(.application(self.id, token), after: milliseconds)
    }
}

@available(*, unavailable)
extension Connection: Sendable {}
