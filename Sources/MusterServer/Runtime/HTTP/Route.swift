import MusterWire
import WebSocketGateway

/// A route of the HTTP API: an entry of the table.
struct Route: Sendable {
    /// The way in which a route receives a request's body.
    enum Body: Sendable, Equatable {
        /// No body.
        case none
        /// JSON, received as a whole, of at most this many bytes.
        case json(limit: Int)
        /// A stream that the handler reads, of at most this many bytes.
        case sink(limit: Int)

        /// JSON of the usual maximum length.
        static let json = Body.json(limit: 65_536)
    }

    /// The web pages that may send requests and read the responses.
    enum Origins: Sendable, Equatable {
        /// Pages of this server, and of the origins that the operator named.
        case named
        /// Pages of all origins.
        case any
    }

    let method: HTTPMethod
    let pattern: RoutePattern
    let body: Body
    let origins: Origins
    /// Headers that the handler reads in addition to the usual ones, in lower case.
    let headers: [String]
    /// Checks the access and handles the request.
    let respond: @Sendable (RouteRequest) async throws -> HTTPResponse

    /// Creates a route for the callers that `access` admits.
    init<Caller>(
        _ method: HTTPMethod,
        _ pattern: String,
        access: Access<Caller>,
        body: Body = .none,
        origins: Origins = .named,
        headers: [String] = [],
        handler: @escaping @Sendable (RouteRequest, Caller) async throws -> HTTPResponse
    ) {
        self.method = method
        self.pattern = RoutePattern(pattern)
        self.body = body
        self.origins = origins
        self.headers = headers
        self.respond = { request in
            let caller = try await access.admit(request)
            return try await handler(request, caller)
        }
    }

    /// Creates a route without a caller.
    init(
        _ method: HTTPMethod,
        _ pattern: String,
        access: Access<Void>,
        body: Body = .none,
        origins: Origins = .named,
        headers: [String] = [],
        handler: @escaping @Sendable (RouteRequest) async throws -> HTTPResponse
    ) {
        self.init(method, pattern, access: access, body: body, origins: origins, headers: headers) {
            (request, _: Void) async throws in try await handler(request)
        }
    }
}
