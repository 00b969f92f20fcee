package import EventLoop
package import MusterWire

/// The application of a shard, which decodes frames and answers requests.
///
/// Each shard has one instance, created and called on its thread.
package protocol GatewayApplication: AnyObject, SendableMetatype {
    /// The message type of `Gateway.deliver`.
    associatedtype Message: Sendable

    /// Called after the handshake of a WebSocket, when the `hello` deadline starts.
    func connectionOpened(_ connection: Connection)

    /// Called with a whole text frame: valid UTF-8, at most 64 KiB.
    ///
    /// The bytes are valid during the call. At least 64 more readable bytes follow their end.
    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection)

    /// Called with a message for an open connection.
    func messageReceived(_ message: Message, on connection: Connection)

    /// Called when a timer of the application on the connection expires.
    func timerFired(_ token: UInt8, on connection: Connection)

    /// Called when a WebSocket has ended, exactly once for each `connectionOpened`.
    func connectionClosed(_ connection: Connection, _ code: CloseCode)

    /// Called when a mirrored topic has no subscription on a shard any more.
    ///
    /// The opener of the mirror may close it, unless the last subscription that was sent there has a number other than
    /// `number`. Then that subscription is still in transit.
    func topicUnfollowed(_ topic: TopicID, on shard: Int, since number: UInt64)

    /// Called with an HTTP request and its whole body. Respond by `GatewayShard.respond` or `GatewayCommand.respond`.
    func requestReceived(_ request: HTTPRequest)

    /// Called at the end of the tick's input and before frames are written, so that the application can pass collected
    /// work on as one batch.
    func iterationEnded()
}

/// The shard as its application sees it, confined to the shard's thread.
package protocol GatewayShard: AnyObject {
    /// The shard's index, counted from 0.
    var index: Int { get }

    /// The clock of the gateway.
    var clock: MonotonicClock { get }

    /// Milliseconds of the monotonic clock, read once a tick.
    var now: Int64 { get }

    /// Returns the open connection with this id.
    func connection(_ id: ConnectionID) -> Connection?

    /// Responds to a request. Ignored when its client has disconnected.
    func respond(_ id: RequestID, _ response: HTTPResponse)

    /// Stops reading all sockets of the shard.
    func pauseAllReading()

    /// Resumes reading all sockets except those that are paused individually.
    func resumeAllReading()
}
