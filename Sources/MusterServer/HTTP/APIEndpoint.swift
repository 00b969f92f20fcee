import WebSocketGateway

/// What a path of the HTTP API names.
enum APIEndpoint: Equatable {
    case health
    case readiness
    case metrics
    case accounts
    case sessions
    case currentSession
    case me
    case locations
    case invite(code: String)
    case gatherings(group: String)

    /// Reads a path; nil when nothing is there.
    init?(path: String) {
        switch path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init) {
        case ["healthz"]: self = .health
        case ["readyz"]: self = .readiness
        case ["metrics"]: self = .metrics
        case ["v1", "accounts"]: self = .accounts
        case ["v1", "sessions"]: self = .sessions
        case ["v1", "sessions", "current"]: self = .currentSession
        case ["v1", "me"]: self = .me
        case ["v1", "locations"]: self = .locations
        case let path where path.count == 3 && path[0] == "v1" && path[1] == "invites":
            self = .invite(code: path[2])
        case let path where path.count == 4 && path[0] == "v1" && path[1] == "groups" && path[3] == "gatherings":
            self = .gatherings(group: path[2])
        case _: return nil
        }
    }

    /// What can be done there; whoever may `GET` may `HEAD`.
    var methods: [HTTPMethod] {
        switch self {
        case .health, .readiness, .metrics, .invite, .gatherings: [.get, .head]
        case .accounts, .sessions, .locations: [.post]
        case .currentSession: [.delete]
        case .me: [.get, .head, .patch, .delete]
        }
    }
}
