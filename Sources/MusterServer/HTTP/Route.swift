import MusterWire
import WebSocketGateway

/// One thing that can be asked for over HTTP: an entry of the table.
struct Route: Sendable {
    /// What the route makes of a request's body.
    enum Body: Sendable, Equatable {
        /// Nothing.
        case none
        /// JSON, whole, of at most so many bytes.
        case json(limit: Int)
        /// Bytes that the handler reads as they come, so many at most.
        case sink(limit: Int)

        /// JSON of the usual length.
        static let json = Body.json(limit: 65_536)
    }

    /// Which web pages may ask, and read the answers.
    enum Origins: Sendable, Equatable {
        /// Those of the origins that the operator named, and our own.
        case named
        /// All.
        case any
    }

    let method: HTTPMethod
    let pattern: RoutePattern
    let body: Body
    let origins: Origins
    /// Headers that the handler reads beside the usual ones, in lower case.
    let headers: [String]
    /// Admits and answers.
    let respond: @Sendable (RouteRequest) async throws(FrameError) -> HTTPResponse

    /// Creates a route for those whom `access` admits.
    init<Caller>(
        _ method: HTTPMethod,
        _ pattern: String,
        access: Access<Caller>,
        body: Body = .none,
        origins: Origins = .named,
        headers: [String] = [],
        handler: @escaping @Sendable (RouteRequest, Caller) async throws(FrameError) -> HTTPResponse
    ) {
        self.method = method
        self.pattern = RoutePattern(pattern)
        self.body = body
        self.origins = origins
        self.headers = headers
        self.respond = { (request) async throws(FrameError) in
            let caller = try await access.admit(request)
            return try await handler(request, caller)
        }
    }

    /// Creates a route for anybody.
    init(
        _ method: HTTPMethod,
        _ pattern: String,
        access: Access<Void>,
        body: Body = .none,
        origins: Origins = .named,
        headers: [String] = [],
        handler: @escaping @Sendable (RouteRequest) async throws(FrameError) -> HTTPResponse
    ) {
        self.init(method, pattern, access: access, body: body, origins: origins, headers: headers) {
            (request, _: Void) async throws(FrameError) in try await handler(request)
        }
    }
}
