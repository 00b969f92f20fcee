package import EventLoop
package import MusterWire

/// What decodes frames and answers requests on a shard: one instance a shard, made and called on its thread alone.
package protocol GatewayApplication: AnyObject, SendableMetatype {
    /// What other threads hand to this application by `Gateway.deliver`.
    associatedtype Message: Sendable

    /// A WebSocket finished its handshake; the `hello` deadline runs.
    func connectionOpened(_ connection: Connection)

    /// A whole text frame came: valid UTF-8, at most 64 KiB.
    ///
    /// The bytes are valid during the call; at least 64 more readable bytes follow their end.
    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection)

    /// A message came for a connection that is still open.
    func messageReceived(_ message: Message, on connection: Connection)

    /// A timer that the application set on the connection has run out.
    func timerFired(_ token: UInt8, on connection: Connection)

    /// A WebSocket is gone; called exactly once for each `connectionOpened`.
    func connectionClosed(_ connection: Connection, _ code: CloseCode)

    /// Nobody of a shard follows a topic any more that it mirrors.
    ///
    /// Whoever opened the mirror may close it, unless the last subscription that was sent there has another number: that
    /// one is still on its way.
    func topicUnfollowed(_ topic: TopicID, on shard: Int, since number: UInt64)

    /// An HTTP request came with its whole body; answer it by `GatewayShard.respond` or `GatewayCommand.respond`.
    func requestReceived(_ request: HTTPRequest)

    /// Everything of this turn has been handed over; called before frames are written, so that what was collected can
    /// be passed on as one batch.
    func turnEnded()
}

/// What an application can ask of the shard it lives on; for use on the shard's thread alone.
package protocol GatewayShard: AnyObject {
    /// The shard's number, counted from 0.
    var index: Int { get }

    /// The clock of the gateway.
    var clock: MonotonicClock { get }

    /// Milliseconds of the monotonic clock, read once a turn.
    var now: Int64 { get }

    /// The open connection with this id.
    func connection(_ id: ConnectionID) -> Connection?

    /// Answers a request; ignored when its client has gone.
    func respond(_ id: RequestID, _ response: HTTPResponse)

    /// Stops reading all sockets of the shard.
    func pauseAllReading()

    /// Reads all sockets again, but for those paused one by one.
    func resumeAllReading()
}
