import EventLoop
import MusterCore
import MusterWire
import WebSocketGateway

/// Accounts and logins over HTTP (public/docs/protocol.md#connect).
struct AccountRoutes: Sendable {
    private let node: ServerNode
    private let router: ChangeRouter
    /// Limits the rate of sign-ups by address: thirty at once, and one every five seconds.
    private let signUpMeter = RateMeter<String>(rate: 0.2, burst: 30)
    /// Limits the rate of profile changes by user.
    private let profileMeter = RateMeter<UserID>(.profile)

    /// Creates the routes.
    init(_ node: ServerNode, _ router: ChangeRouter) {
        self.node = node
        self.router = router
    }

    /// The routes of the table.
    var routes: [Route] {
        let login = Access.login(self.node)
        return [
            Route(.post, "/v1/accounts", access: .anybody, body: .json, handler: self.signUp),
            Route(.post, "/v1/sessions", access: .anybody, body: .json, handler: self.logIn),
            Route(.delete, "/v1/sessions/current", access: .bearer(self.node), handler: self.logOut),
            Route(.get, "/v1/me", access: login, handler: self.profile),
            Route(.patch, "/v1/me", access: login, body: .json, handler: self.updateProfile),
            Route(.delete, "/v1/me", access: login, handler: self.deleteAccount),
            Route(.get, "/v1/me/export", access: login, handler: self.export),
        ]
    }

    // MARK: - Logins

    private func signUp(_ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let address = self.node.strangerAddress(of: request.base)
        if let address {
            try self.signUpMeter.charge(1, to: address, now: self.node.clock.milliseconds)
        }
        let body = try request.json { (fields) throws(FrameError) in
            (
                username: try fields.required("username", fields.string("username")),
                password: try fields.required("password", fields.string("password")),
                name: try fields.required("name", fields.string("name"))
            )
        }
        let credentials = try await directory.signUp(
            username: body.username,
            password: body.password,
            name: body.name,
            address: address
        )
        return .json(CredentialsBody(credentials), status: 201)
    }

    private func logIn(_ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let body = try request.json { (fields) throws(FrameError) in
            (
                username: try fields.required("username", fields.string("username")),
                password: try fields.required("password", fields.string("password")),
                device: try fields.string("device")
            )
        }
        let device = try body.device.map(RouteRequest.deviceKey)
        let credentials = try await directory.logIn(
            username: body.username,
            password: body.password,
            address: self.node.strangerAddress(of: request.base),
            device: device
        )
        return .json(CredentialsBody(credentials), status: 201)
    }

    private func logOut(_ request: RouteRequest, _ token: BearerToken) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let login = try await directory.logOut(token: token.text)
        await self.router.apply(login.changes)
        return HTTPResponse(status: 204)
    }

    // MARK: - The user's own account

    private func profile(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let account = try await directory.account(of: user)
        return .json(AccountBody(account))
    }

    private func updateProfile(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let change = try request.json { (fields) throws(FrameError) in try ProfileChange(reading: fields) }
        try self.profileMeter.charge(1, to: user, now: self.node.clock.milliseconds)
        let update: Committed<Account>
        do {
            update = try await directory.updateProfile(of: user, change)
        } catch {
            // A refused change has no effect, so it is not charged.
            self.profileMeter.refund(1, to: user)
            throw error
        }
        await self.router.apply(update.changes)
        return .json(AccountBody(update.value))
    }

    private func deleteAccount(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let deletion = try await directory.deleteAccount(user)
        await self.router.apply(deletion.changes)
        return HTTPResponse(status: 204)
    }

    private func export(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        // Read before the response begins, so that a failure has its own status.
        var export = directory.export(of: user)
        let first = try await export.next()
        let (node, rest) = (self.node, export)
        let stream = AnswerStream { stream in
            var export = rest
            var piece = first
            while let text = piece {
                try await stream.write(Array(text.utf8))
                do {
                    piece = try await export.next()
                } catch {
                    // The response only ends early, so that this is the only trace of the failure.
                    throw node.frameError(error)
                }
            }
        }
        return HTTPResponse(
            status: 200,
            headers: [
                ("content-type", "application/json"), ("cache-control", "no-store"),
                ("content-disposition", #"attachment; filename="muster-export.json""#),
            ],
            stream: stream
        )
    }
}
