/// The reason why a connection was refused before it became a WebSocket.
package enum RefusalReason: String, Sendable, CaseIterable {
    case connectionCap = "connection_cap"
    case addressCap = "address_cap"
    case connectRate = "connect_rate"
    case draining
    case stalled
    case path
    case handshake
    case subprotocol
    case origin

    /// The HTTP status of the refusal.
    package var status: Int {
        switch self {
        case .connectionCap, .draining, .stalled: 503
        case .addressCap, .connectRate: 429
        case .path: 404
        case .subprotocol, .handshake: 400
        case .origin: 403
        }
    }

    /// The response of the refusal.
    var response: HTTPResponse {
        switch self {
        case .connectionCap:
            .problem(503, code: "unavailable", detail: "The server has too many connections.", retryAfter: 10)
        case .draining: .problem(503, code: "unavailable", detail: "The server is shutting down.", retryAfter: 2)
        case .stalled: .problem(503, code: "unavailable", detail: "The server is stalled.", retryAfter: 10)
        case .addressCap:
            .problem(429, code: "rate_limited", detail: "This address has too many connections.", retryAfter: 30)
        case .connectRate:
            .problem(429, code: "rate_limited", detail: "This address connects too often.", retryAfter: 5)
        case .path: .problem(404, code: "not_found", detail: "There is no WebSocket at this path.")
        case .handshake:
            .problem(400, code: "bad_request", detail: "The request is not a WebSocket handshake of version 13.")
        case .subprotocol:
            .problem(400, code: "bad_request", detail: "Sec-WebSocket-Protocol must contain a supported subprotocol.")
        case .origin: .problem(403, code: "forbidden", detail: "Web pages of this origin are not allowed to connect.")
        }
    }
}
