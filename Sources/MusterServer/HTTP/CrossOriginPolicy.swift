import WebSocketGateway

/// Lets web apps of the allowed origins use the HTTP API from a browser (Fetch Standard, "CORS protocol").
///
/// Tokens travel in a header and never in a cookie, so an origin that is not allowed gains nothing by asking.
struct CrossOriginPolicy {
    /// Origins besides our own, as `--allow-origin` names them.
    let allowed: Set<String>

    /// The answer to a browser that asks before it sends a request; nil when this is not such a question.
    func preflight(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .options, self.origin(of: request) != nil else { return nil }
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
        guard let origin = self.origin(of: request) else { return }
        response.headers.append(("access-control-allow-origin", origin))
        response.headers.append(("access-control-expose-headers", "retry-after"))
        response.headers.append(("vary", "origin"))
    }

    private func origin(of request: HTTPRequest) -> String? {
        guard let origin = request.headers.origin, self.allowed.contains(origin) else { return nil }
        return origin
    }
}
