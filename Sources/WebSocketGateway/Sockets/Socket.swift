/// What a shard keeps for one accepted socket, from adoption to destruction.
///
/// libwebsockets holds it, retained, as the socket's opaque data; `LWS_CALLBACK_WSI_DESTROY` releases it.
final class Socket {
    /// What the socket is being used for.
    enum Use {
        case idle
        case exchange(HTTPExchange)
        case connection(Connection)
    }

    let peerAddress: String
    var use = Use.idle

    init(peerAddress: String) { self.peerAddress = peerAddress }
}

@available(*, unavailable)
extension Socket: Sendable {}
