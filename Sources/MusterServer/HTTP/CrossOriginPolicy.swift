import WebSocketGateway

/// Lets web apps of the allowed origins use the HTTP API from a browser (Fetch Standard, "CORS protocol").
///
/// Tokens travel in a header and never in a cookie, so an origin that is not allowed gains nothing by asking.
struct CrossOriginPolicy {
    private let origins: OriginPolicy

    /// Allows pages of origins besides our own, as `--allow-origin` names them.
    init(allowed: Set<String>) { self.origins = OriginPolicy(named: allowed) }

    /// The answer to a browser that asks before it sends a request; nil when this is not such a question.
    func preflight(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .options, let origin = request.headers.origin, self.origins.names(origin) else {
            return nil
        }
        var response = HTTPResponse(
            status: 204,
            headers: [
                ("access-control-allow-methods", "GET, POST, PATCH, DELETE"),
                ("access-control-allow-headers", "authorization, content-type"),
                ("access-control-max-age", "600"),
            ]
        )
        self.admit(request, to: &response)
        return response
    }

    /// Lets the page that sent `request` read `response`, when its origin is allowed.
    func admit(_ request: HTTPRequest, to response: inout HTTPResponse) {
        response.headers += self.origins.headers(for: request.headers.origin)
    }
}
