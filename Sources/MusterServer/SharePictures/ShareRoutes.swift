import EventLoop
import MusterCore
import MusterWire
import WebSocketGateway

/// Pictures of a group's positions (public/openapi.json).
///
/// Members create and revoke them; every client with the address can view them.
struct ShareRoutes: Sendable {
    private let node: ServerNode
    private let world: any WorldLink
    /// Requests that wait for the visibility snapshot of a group.
    private let sights: PendingAnswers<GroupVisibility>
    private let statistics: ShareStatistics
    private let renderer: SharePictureRenderer
    /// Limits the rate of wrong addresses by client: thirty at once, and one every ten seconds.
    private let meter = RateMeter<String>(rate: 0.1, burst: 30)

    init(
        _ node: ServerNode,
        world: any WorldLink,
        sights: PendingAnswers<GroupVisibility>,
        statistics: ShareStatistics,
        renderer: SharePictureRenderer
    ) {
        self.node = node
        self.world = world
        self.sights = sights
        self.statistics = statistics
        self.renderer = renderer
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/groups/{group}/shares",
                access: .login(self.node),
                body: .json,
                handler: self.make
            ),
            Route(.get, "/v1/groups/{group}/shares", access: .login(self.node), handler: self.list),
            Route(.delete, "/v1/shares/{share}", access: .login(self.node), handler: self.revoke),
            Route(.get, "/s/{code}", access: .anybody, handler: self.page),
            Route(.get, "/s/{code}.png", access: .anybody, handler: self.image),
        ]
    }

    // MARK: - For members

    private func make(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        var wanted = SharePictureRequest(group: try request.id("group"), maker: user)
        if !request.base.body.isEmpty {
            try request.json { (fields) throws(FrameError) in try wanted.read(fields) }
        }
        let (share, name) = try await self.renderer.make(wanted)
        self.statistics.noteMade()
        return .json(CreatedShareBody(share, groupName: name, base: self.base(request)), status: 201)
    }

    private func list(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let group: GroupID = try request.id("group")
        let shares = try await directory.shares(of: group, for: user)
        return .json(SharesBody(shares, base: self.base(request)))
    }

    private func revoke(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let share: ShareID = try request.id("share")
        try await directory.revokeShare(share, by: user)
        return HTTPResponse(status: 204)
    }

    // MARK: - For clients with the address

    private func page(_ request: RouteRequest) async -> HTTPResponse {
        let code = request.parameter("code")
        let (status, html): (Int, String)
        var more: [(name: String, value: String)] = []
        do throws(FrameError) {
            let share = try await self.open(code, request, withPicture: false)
            (status, html) = (200, SharePage.html(share, code: code, base: self.base(request)))
        } catch {
            (status, html) = (error.code.httpStatus, SharePage.html(error))
            more = HTTPResponse.problem(error).headers.filter { $0.name == "retry-after" }
        }
        return HTTPResponse(
            status: status,
            headers: Self.discretion + more + [
                ("content-type", "text/html; charset=utf-8"), ("content-security-policy", SharePage.policy),
            ],
            body: Array(html.utf8)
        )
    }

    private func image(_ request: RouteRequest) async -> HTTPResponse {
        do throws(FrameError) {
            let share = try await self.open(request.parameter("code"), request, withPicture: true)
            return HTTPResponse(
                status: 200,
                headers: Self.discretion + [("content-type", "image/png")],
                body: share.png
            )
        } catch {
            var response = HTTPResponse.problem(error)
            response.headers = response.headers.filter { $0.name != "cache-control" } + Self.discretion
            return response
        }
    }

    /// No cache stores the response, no search engine indexes it, and no referrer reveals its address.
    private static let discretion: [(name: String, value: String)] = [
        ("cache-control", "no-store"), ("x-robots-tag", "noindex, nofollow"), ("referrer-policy", "no-referrer"),
    ]

    /// The picture of an address, while it is visible.
    ///
    /// - Throws: `notFound`, `gone`, `rateLimited`, `unavailable` when the visibility cannot be checked completely.
    private func open(
        _ code: String,
        _ request: RouteRequest,
        withPicture: Bool
    ) async throws(FrameError) -> OpenShare {
        do {
            let share = try await self.find(code, request, withPicture: withPicture)
            let visibility = try await self.sights.answer { self.world.send(.groupViewRequested($0, share.group)) }
            guard visibility.stillShows(madeBy: share.maker),
                share.shown.allSatisfy({ visibility.stillShows($0.key, $0.value) })
            else {
                throw FrameError(.gone, message: "This picture was withdrawn.")
            }
            self.statistics.note(.shown)
            return share
        } catch {
            let error = self.node.frameError(error)
            self.statistics.note(ShareStatistics.Result(error))
            throw error
        }
    }

    /// Reads the picture from storage; a wrong code is charged to the address of the client.
    private func find(
        _ code: String,
        _ request: RouteRequest,
        withPicture: Bool
    ) async throws -> OpenShare {
        let directory = try self.node.readyDirectory()
        let address = self.node.strangerAddress(of: request.base)
        // Charged before the lookup, so that concurrent requests count too; refunded unless the code is wrong.
        if let address { try self.meter.charge(1, to: address, now: self.node.clock.milliseconds) }
        do {
            let share = try await directory.openShare(code: code, withPicture: withPicture)
            if let address { try self.meter.charge(-1, to: address, now: self.node.clock.milliseconds) }
            return share
        } catch {
            if let address, FrameError(error).code != .notFound {
                try self.meter.charge(-1, to: address, now: self.node.clock.milliseconds)
            }
            throw error
        }
    }

    private func base(_ request: RouteRequest) -> String { self.node.linkBase(host: request.headers["host"]) }
}
