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
