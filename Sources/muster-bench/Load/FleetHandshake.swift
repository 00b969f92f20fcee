/// The handshake of sessions: endpoint, first frame, and the frames before a session is ready.
protocol FleetHandshake: AnyObject {
    /// The path of the endpoint.
    var path: String { get }
    /// The offered subprotocol; nil for none.
    var subprotocol: String? { get }

    /// The first frame of a session after connecting.
    func hello(of session: Int) -> [UInt8]

    /// Handles a frame that arrives before the session is ready.
    func receive(_ frame: [UInt8], by session: Int) -> HandshakeStep
}

/// The meaning of a frame for a session that is not ready yet.
enum HandshakeStep {
    /// More frames must follow.
    case wait
    /// The session is ready.
    case ready
    /// The server refused the session with this message.
    case refused(String)
}
