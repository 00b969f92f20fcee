import EventLoop
import MusterCore
import MusterStore
import MusterWire
import WebSocketGateway

/// Answers the HTTP requests of PROTOCOL 10 that are not files.
struct Routes: Sendable {
    let services: Services

    /// Answers one request; every failure becomes a problem document.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let policy = CrossOriginPolicy(allowed: self.services.configuration.gateway.allowedOrigins)
        if let preflight = policy.preflight(request) { return preflight }
        var response: HTTPResponse
        do throws(FrameError) {
            response = try await self.route(request)
        } catch {
            response = .problem(error)
        }
        policy.admit(request, to: &response)
        return response
    }

    private func route(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch (request.method, path) {
        case (.get, ["healthz"]), (.head, ["healthz"]):
            return .text("ok\n")
        case (.get, ["readyz"]), (.head, ["readyz"]):
            return self.readiness()
        case (.get, ["metrics"]) where self.services.configuration.metricsListen == nil:
            return MetricsPage(services: self.services).response()
        case (.post, ["v1", "accounts"]):
            return try await self.signUp(request)
        case (.post, ["v1", "sessions"]):
            return try await self.logIn(request)
        case (.delete, ["v1", "sessions", "current"]):
            return try await self.logOut(request)
        case (.get, ["v1", "me"]):
            return try await self.profile(request)
        case (.patch, ["v1", "me"]):
            return try await self.updateProfile(request)
        case (.delete, ["v1", "me"]):
            return try await self.deleteAccount(request)
        case (.post, ["v1", "locations"]):
            return try await self.report(request)
        case (.get, let path) where path.count == 3 && path.starts(with: ["v1", "invites"]):
            return try await self.invitePreview(path[2])
        case (.get, let path) where path.count == 4 && path.starts(with: ["v1", "groups"]) && path[3] == "gatherings":
            return try await self.gatherings(request, of: path[2])
        case (_, ["metrics"]) where self.services.configuration.metricsListen != nil:
            throw FrameError(.notFound, message: "Metrics have a listener of their own.")
        case (_, let path) where Self.known.contains(path):
            return .problem(FrameError(.notFound, message: "This path does not take \(request.method.rawValue)."), 405)
        case _:
            throw FrameError(.notFound, message: "There is nothing at this path.")
        }
    }

    /// Paths that exist, whatever the method.
    private static let known: Set<[String]> = [
        ["healthz"], ["readyz"], ["metrics"], ["v1", "accounts"], ["v1", "sessions"], ["v1", "sessions", "current"],
        ["v1", "me"], ["v1", "locations"], ["v1", "ws"],
    ]

    // MARK: - Operations

    private func readiness() -> HTTPResponse {
        guard let reason = self.services.unreadiness else { return .text("ready\n") }
        var response = HTTPResponse.problem(FrameError(.unavailable, message: reason, retryAfter: 1000))
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    // MARK: - Accounts

    private func signUp(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let body = try request.decode(SignUpBody.self)
        let credentials = try await self.services.ask { () throws(DirectoryError) in
            try await directory.signUp(username: body.username, password: body.password, name: body.name)
        }
        return .json(CredentialsBody(credentials), status: 201)
    }

    private func logIn(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let body = try request.decode(LogInBody.self)
        let credentials = try await self.services.ask { () throws(DirectoryError) in
            try await directory.logIn(
                username: body.username,
                password: body.password,
                address: request.peerAddress
            )
        }
        return .json(CredentialsBody(credentials), status: 201)
    }

    private func logOut(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let token = try request.bearerToken()
        let login = try await self.services.ask { () throws(DirectoryError) in
            try await directory.logOut(token: token)
        }
        self.services.world.send(.loginEnded(login))
        return HTTPResponse(status: 204)
    }

    private func profile(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let user = try await self.authenticate(request, directory)
        let account = try await self.services.ask { () throws(DirectoryError) in
            try await directory.account(of: user)
        }
        return .json(AccountBody(account))
    }

    private func updateProfile(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let user = try await self.authenticate(request, directory)
        let body = try request.decode(ProfileBody.self)
        let update = try await self.services.ask { () throws(DirectoryError) in
            try await directory.updateProfile(of: user, body.change)
        }
        self.announce(update.groups)
        return .json(AccountBody(update.account))
    }

    private func deleteAccount(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let user = try await self.authenticate(request, directory)
        let groups = try await self.services.ask { () throws(DirectoryError) in
            try await directory.deleteAccount(user)
        }
        self.announce(groups)
        self.services.world.send(.accountDeleted(user))
        return HTTPResponse(status: 204)
    }

    // MARK: - Locations and invites

    private func report(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let token = try request.bearerToken()
        guard let key = request.queryValue("device"), (1...64).contains(key.count) else {
            throw FrameError(
                .badRequest,
                message: "The query must name the device: ?device=KEY of 1…64 characters.",
                field: "device"
            )
        }
        // A parser of its own: requests are far fewer than frames, and tasks share no thread.
        let batch = try FrameDecoder().decodeFixes(copying: request.body)
        let admission = try await self.services.ask { () throws(DirectoryError) in
            try await directory.hello(token: token, device: Hello.Device(key: key, kind: .tracker))
        }
        let session = SessionID(request.id)
        let report = FixReport(origin: .request(session), arrival: admission.arrival, fixes: batch.fixes)
        let world = self.services.world
        let outcome = await self.services.reports.outcome(of: session) { world.send(.fixesReceived(report)) }
        return .json(ReportBody(outcome, malformed: batch.malformed.compactMap(\.sequence)))
    }

    private func invitePreview(_ code: String) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let preview = try await self.services.ask { () throws(DirectoryError) in
            try await directory.invitePreview(code)
        }
        return .json(InviteBody(code: code, preview))
    }

    // MARK: - Gatherings

    private func gatherings(_ request: HTTPRequest, of group: String) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let user = try await self.authenticate(request, directory)
        guard let group = GroupID(group) else {
            throw FrameError(.badRequest, message: "The group must be an id.", field: "group")
        }
        let limit = request.queryValue("limit").map { Int($0) ?? 0 } ?? 20
        let after = try request.queryValue("after").map { (text) throws(FrameError) in
            guard let id = GatheringID(text) else {
                throw FrameError(.badRequest, message: "after must be the id of a gathering.", field: "after")
            }
            return id
        }
        let gatherings = try await self.services.ask { () throws(DirectoryError) in
            try await directory.gatherings(of: group, for: user, after: after, limit: limit)
        }
        return .json(GatheringsBody(gatherings, isFull: gatherings.count == limit))
    }

    // MARK: - Shared steps

    private func authenticate(_ request: HTTPRequest, _ directory: Directory) async throws(FrameError) -> UserID {
        let token = try request.bearerToken()
        return try await self.services.ask { () throws(DirectoryError) in
            try await directory.authenticate(token: token).user
        }
    }

    private func announce(_ groups: [GroupSnapshot]) {
        var inputs = groups.map { WorldInput.groupChanged($0, answer: nil) }
        self.services.world.send(contentsOf: &inputs)
    }
}
