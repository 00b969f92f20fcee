import EventLoop
import MusterWire
import WebSocketGateway

/// All routes of the HTTP API.
///
/// The table decides which paths exist, which methods they allow, and which web pages may read the response. It also
/// decides how a body is received, and under which name a request is counted.
struct RouteTable: Sendable {
    /// The routes of one path.
    private struct Place {
        let pattern: RoutePattern
        var routes: [Route]

        /// The route of a method; a route for `GET` also serves `HEAD`.
        func route(_ method: HTTPMethod) -> Route? {
            self.routes.first { $0.method == method }
                ?? (method == .head ? self.routes.first { $0.method == .get } : nil)
        }

        /// The methods of the path, in the form of the `Allow` header.
        var allow: String {
            self.routes.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }.joined(separator: ", ")
        }
    }

    /// The name of paths that are not in the table.
    static let unknownPath = "(unknown)"

    /// The header in which browsers name the source of a request without `Origin` (Fetch Metadata).
    private static let fetchSite = "sec-fetch-site"

    /// All routes.
    let routes: [Route]
    private let places: [Place]
    private let origins: OriginPolicy
    private let statistics: HTTPStatistics
    private let clock: MonotonicClock
    private let logger: Logger
    private let refusals: RepeatGate
    private let convert: @Sendable (any Error) -> FrameError

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - routes: all routes.
    ///   - origins: the pages that may read the responses.
    ///   - statistics: counts every response.
    ///   - clock: measures the durations.
    ///   - logger: logs every response at the level `debug`.
    ///   - convert: converts an error of a handler to an error of the wire.
    init(
        _ routes: [Route],
        origins: OriginPolicy,
        statistics: HTTPStatistics,
        clock: MonotonicClock = .system,
        logger: Logger,
        convert: @escaping @Sendable (any Error) -> FrameError = FrameError.init(_:)
    ) {
        self.routes = routes
        self.origins = origins
        self.statistics = statistics
        self.clock = clock
        self.logger = logger
        self.refusals = RepeatGate(clock: clock)
        self.convert = convert
        var places: [Place] = []
        for route in routes {
            if let index = places.firstIndex(where: { $0.pattern == route.pattern }) {
                places[index].routes.append(route)
            } else {
                places.append(Place(pattern: route.pattern, routes: [route]))
            }
        }
        self.places = places.sorted { $0.pattern.isMoreSpecific(than: $1.pattern) }
    }

    // MARK: - Settings of the gateway

    /// The way in which the body of a request is received; nil for a whole body within the usual limit.
    func bodyReception(_ method: HTTPMethod, _ path: String) -> BodyReception? {
        switch self.place(of: path)?.place.route(method)?.body {
        case nil, .none?: nil
        case .json(let limit): .whole(limit: limit)
        case .sink(let limit): .stream(limit: limit)
        }
    }

    /// Paths, and path prefixes that end in a slash, that are not files.
    var paths: [String] { Array(Set(self.routes.map(\.pattern.stem)).union(["/v1/"])).sorted() }

    /// The headers that some route reads in addition to the usual ones.
    var headers: [String] { Array(Set(self.routes.flatMap(\.headers)).union([Self.fetchSite])).sorted() }

    // MARK: - Answers

    /// Answers one request; every failure becomes a problem document.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = self.clock.nanoseconds
        let found = self.place(of: request.path)
        let response = await self.answer(request, found)
        let name = found?.place.pattern.text ?? Self.unknownPath
        let seconds = Double(self.clock.nanoseconds - start) / 1e9
        self.statistics.count(route: name, method: request.method, status: response.status, seconds: seconds)
        self.logger.log(
            .debug,
            "request answered",
            [
                "http.route": .text(name), "http.method": .text(request.method.rawValue),
                "http.status": .number(Int64(response.status)), "http.ms": .number(Int64(seconds * 1000)),
            ]
        )
        return response
    }

    private func answer(
        _ request: HTTPRequest,
        _ found: (place: Place, parameters: [String: String])?
    ) async -> HTTPResponse {
        guard let (place, parameters) = found else {
            return self.readable(
                .problem(FrameError(.notFound, message: "Nothing is served at this path.")),
                request,
                nil
            )
        }
        if let preflight = self.preflight(request, place) { return preflight }
        guard let route = place.route(request.method) else {
            let error = FrameError(.methodNotAllowed, message: "This path allows only \(place.allow).")
            var response = HTTPResponse.problem(error)
            response.headers.append(("allow", place.allow))
            return self.readable(response, request, nil)
        }
        let response: HTTPResponse
        do {
            try self.requireKnownPage(request, route)
            response = try await route.respond(RouteRequest(request, parameters: parameters))
        } catch {
            response = .problem(self.convert(error))
        }
        return self.readable(response, request, route)
    }

    private func place(of path: String) -> (place: Place, parameters: [String: String])? {
        let parts = RoutePattern.split(path)
        for place in self.places {
            if let parameters = place.pattern.match(parts) { return (place, parameters) }
        }
        return nil
    }

    // MARK: - Pages of other origins (Fetch Standard, "CORS protocol")

    // Tokens travel in a header and never in a cookie, so an origin that is not allowed gains nothing by a request.

    /// Refuses a change that a page of a foreign origin requests.
    ///
    /// Reads are answered for every page, because links from all sites lead here. The browser keeps the response from
    /// the page.
    private func requireKnownPage(_ request: HTTPRequest, _ route: Route) throws(FrameError) {
        switch request.method {
        case .get, .head, .options: return
        case .post, .put, .patch, .delete: break
        }
        guard route.origins != .any else { return }
        let host = request.headers["host"]
        if let origin = request.headers["origin"] {
            guard !self.origins.allows(origin: origin, host: host) else { return }
            let event = OriginPolicy.refusal(of: origin, host: host)
            if self.refusals.admits(origin) { self.logger.log(event, component: "gateway") }
        } else if request.headers[Self.fetchSite]?.lowercased() != "cross-site" {
            return
        }
        throw FrameError(.forbidden, message: "Web pages of this origin are not allowed to send this request.")
    }

    /// The response to a preflight request of a browser; nil for any other request.
    private func preflight(_ request: HTTPRequest, _ place: Place) -> HTTPResponse? {
        guard request.method == .options, let origin = request.headers["origin"] else { return nil }
        let routes = self.origins.names(origin) ? place.routes : place.routes.filter { $0.origins == .any }
        guard !routes.isEmpty else { return nil }
        let headers = ["authorization", "content-type"] + Set(routes.flatMap(\.headers)).sorted()
        let response = HTTPResponse(
            status: 204,
            headers: [
                ("access-control-allow-methods", routes.map(\.method.rawValue).joined(separator: ", ")),
                ("access-control-allow-headers", headers.joined(separator: ", ")),
                ("access-control-max-age", "600"),
            ]
        )
        return self.readable(response, request, routes.first)
    }

    /// Adds the headers that allow the requesting page to read the response, if it may.
    private func readable(_ response: HTTPResponse, _ request: HTTPRequest, _ route: Route?) -> HTTPResponse {
        var response = response
        let named = self.origins.headers(for: request.headers["origin"])
        if named.isEmpty, route?.origins == .any {
            response.headers.append(("access-control-allow-origin", "*"))
        } else {
            response.headers += named
        }
        return response
    }
}
