/// An event of a client's WebSocket.
package enum WebSocketEvent: Sendable {
    /// The handshake succeeded.
    case opened(subprotocol: String)
    /// The handshake was refused.
    case refused(HTTPAnswer)
    /// A whole text message.
    case text([UInt8])
    /// A whole binary message.
    case binary([UInt8])
    /// A ping. The pong is already queued.
    case ping
    /// A pong.
    case pong
    /// The server's close frame.
    case closed(number: UInt16, reason: String)
}
