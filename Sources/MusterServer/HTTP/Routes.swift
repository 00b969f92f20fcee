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
        guard let endpoint = APIEndpoint(path: request.path) else {
            throw FrameError(.notFound, message: "There is nothing at this path.")
        }
        guard endpoint.methods.contains(request.method) else {
            let methods = endpoint.methods.map(\.rawValue).joined(separator: ", ")
            var response = HTTPResponse.problem(FrameError(.badRequest, message: "This path takes \(methods)."), 405)
            response.headers.append(("allow", methods))
            return response
        }
        switch endpoint {
        case .health: return .text("ok\n")
        case .readiness: return self.readiness()
        case .metrics: return try self.metrics()
        case .accounts: return try await self.signUp(request)
        case .sessions: return try await self.logIn(request)
        case .currentSession: return try await self.logOut(request)
        case .me:
            switch request.method {
            case .patch: return try await self.updateProfile(request)
            case .delete: return try await self.deleteAccount(request)
            case .get, .head, .post, .put, .options: return try await self.profile(request)
            }
        case .locations: return try await self.report(request)
        case .invite(let code): return try await self.invitePreview(code)
        case .gatherings(let group): return try await self.gatherings(request, of: group)
        }
    }

    // MARK: - Operations

    private func readiness() -> HTTPResponse {
        guard let reason = self.services.unreadiness else { return .text("ready\n") }
        var response = HTTPResponse.problem(FrameError(.unavailable, message: reason, retryAfter: 1000))
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    private func metrics() throws(FrameError) -> HTTPResponse {
        guard self.services.configuration.metricsListen == nil else {
            throw FrameError(.notFound, message: "Metrics have a listener of their own.")
        }
        return MetricsPage(services: self.services).response()
    }

    // MARK: - Accounts

    private func signUp(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        if let address = self.services.strangerAddress(of: request) {
            try self.services.signUpMeter.take(1, for: address, now: self.services.clock.milliseconds)
        }
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
                address: self.services.strangerAddress(of: request)
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
        let deletion = try await self.services.ask { () throws(DirectoryError) in
            try await directory.deleteAccount(user)
        }
        self.announce(deletion.groups)
        self.services.world.send(.accountDeleted(user))
        if !deletion.spots.isEmpty { self.services.world.send(.spotsDeleted(deletion.spots)) }
        return HTTPResponse(status: 204)
    }

    // MARK: - Locations and invites

    private func report(_ request: HTTPRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let token = try request.bearerToken()
        guard let key = request.queryValue("device"), (1...64).contains(key.unicodeScalars.count) else {
            throw FrameError(
                .badRequest,
                message: "The query must name the device: ?device=KEY of 1…64 characters.",
                field: "device"
            )
        }
        // A parser of its own: requests are far fewer than frames, and tasks share no thread.
        let batch = try FrameDecoder().decodeFixes(copying: request.body)
        // What has no number cannot be listed in the answer.
        if batch.fixes.isEmpty, let unnamed = batch.malformed.first(where: { $0.sequence == nil }) {
            throw FrameError(.badFix, message: unnamed.reason, field: unnamed.field)
        }
        let admission = try await self.services.ask { () throws(DirectoryError) in
            try await directory.hello(token: token, device: Hello.Device(key: key, kind: .tracker), keepsKind: true)
        }
        try self.services.reportMeter.take(
            batch.fixes.count + batch.malformed.count,
            for: admission.arrival.user.id,
            now: self.services.clock.milliseconds
        )
        let session = SessionID(request.id)
        let report = FixReport(origin: .request(session), arrival: admission.arrival, fixes: batch.fixes)
        let world = self.services.world
        let outcome = try await self.services.reports.outcome(of: session) { world.send(.fixesReceived(report)) }
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
