import EventLoop
import MusterCore
import MusterStore
import MusterWire
import WebSocketGateway

/// Pictures of where a group is (PROTOCOL 13): members make and take them back, and whoever has the address sees them.
struct ShareRoutes: Sendable {
    private let services: Services
    private let studio: ShareStudio

    init(_ services: Services) {
        self.services = services
        self.studio = ShareStudio(services: services)
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/groups/{group}/shares",
                access: .login(self.services),
                body: .json,
                handler: self.make
            ),
            Route(.get, "/v1/groups/{group}/shares", access: .login(self.services), handler: self.list),
            Route(.delete, "/v1/shares/{share}", access: .login(self.services), handler: self.revoke),
            Route(.get, "/s/{code}", access: .anybody, handler: self.page),
            Route(.get, "/s/{code}.png", access: .anybody, handler: self.image),
        ]
    }

    // MARK: - For members

    private func make(_ request: RouteRequest, _ user: UserID) async throws(FrameError) -> HTTPResponse {
        let body = try request.base.body.isEmpty ? ShareBody() : request.json(ShareBody.self)
        let (share, name) = try await self.studio.make(try body.wish(for: try request.id("group"), by: user))
        self.services.shares.noteMade()
        return .json(MadeShareBody(share, groupName: name, base: self.base(request)), status: 201)
    }

    private func list(_ request: RouteRequest, _ user: UserID) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let group: GroupID = try request.id("group")
        let shares = try await self.services.ask { () async throws(DirectoryError) in
            try await directory.shares(of: group, for: user)
        }
        return .json(SharesBody(shares, base: self.base(request)))
    }

    private func revoke(_ request: RouteRequest, _ user: UserID) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let share: ShareID = try request.id("share")
        try await self.services.ask { () async throws(DirectoryError) in
            try await directory.revokeShare(share, by: user)
        }
        return HTTPResponse(status: 204)
    }

    // MARK: - For whoever has the address

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

    /// Nobody keeps it, finds it by a search, or learns the address from where a reader goes next.
    private static let discretion: [(name: String, value: String)] = [
        ("cache-control", "no-store"), ("x-robots-tag", "noindex, nofollow"), ("referrer-policy", "no-referrer"),
    ]

    /// The picture of an address, while it may be seen.
    ///
    /// - Throws: `notFound`, `gone`, `rateLimited`, `unavailable` when not all can be asked who might hide it.
    private func open(
        _ code: String,
        _ request: RouteRequest,
        withPicture: Bool
    ) async throws(FrameError) -> OpenShare {
        do throws(FrameError) {
            let share = try await self.find(code, request, withPicture: withPicture)
            let sight = try await self.services.sights.sight(of: share.group, in: self.services.world)
            guard sight.stillShows(madeBy: share.maker),
                share.shown.allSatisfy({ sight.stillShows($0.key, $0.value) })
            else {
                throw FrameError(.gone, message: "This picture was taken back.")
            }
            self.services.shares.note(.shown)
            return share
        } catch {
            self.services.shares.note(ShareStatistics.Result(error))
            throw error
        }
    }

    /// What storage says; a wrong code is counted against the address of who asks.
    private func find(
        _ code: String,
        _ request: RouteRequest,
        withPicture: Bool
    ) async throws(FrameError) -> OpenShare {
        let directory = try self.services.readyDirectory()
        let address = self.services.strangerAddress(of: request.base)
        let meter = self.services.shareMeter
        // Before it is looked for, so that many at once are counted too; given back to who knows a code.
        if let address { try meter.charge(1, to: address, now: self.services.clock.milliseconds) }
        do throws(FrameError) {
            let share = try await self.services.ask { () async throws(DirectoryError) in
                try await directory.openShare(code: code, withPicture: withPicture)
            }
            if let address { try meter.charge(-1, to: address, now: self.services.clock.milliseconds) }
            return share
        } catch {
            if let address, error.code != .notFound {
                try meter.charge(-1, to: address, now: self.services.clock.milliseconds)
            }
            throw error
        }
    }

    private func base(_ request: RouteRequest) -> String { self.services.linkBase(host: request.headers["host"]) }
}
