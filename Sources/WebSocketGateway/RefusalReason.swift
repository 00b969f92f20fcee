/// Why a connection was refused before it became a WebSocket.
package enum RefusalReason: String, Sendable, CaseIterable {
    case connectionCap = "connection_cap"
    case addressCap = "address_cap"
    case connectRate = "connect_rate"
    case draining
    case path
    case subprotocol
    case origin

    /// The HTTP status of the refusal.
    package var status: Int {
        switch self {
        case .connectionCap, .draining: 503
        case .addressCap, .connectRate: 429
        case .path: 404
        case .subprotocol: 400
        case .origin: 403
        }
    }
}
