import EventLoop
import MusterCore
import MusterWire
import WebSocketGateway

/// Accounts and logins over HTTP (public/docs/protocol.md#connect).
struct AccountRoutes: Sendable {
    private let node: ServerNode
    private let router: ChangeRouter
    private let signIns: SignInService
    /// Limits the rate of sign-ups by address.
    private let signUpMeter: RateMeter<String>
    /// Limits the rate of profile changes by user.
    private let profileMeter = RateMeter<UserID>(.profile)

    /// Creates the routes; `signUps` is the meter of new accounts.
    init(_ node: ServerNode, _ router: ChangeRouter, _ signIns: SignInService, signUps: RateMeter<String>) {
        self.node = node
        self.router = router
        self.signIns = signIns
        self.signUpMeter = signUps
    }

    /// The routes of the table.
    var routes: [Route] {
        let login = Access.login(self.node)
        return [
            Route(.post, "/v1/accounts", access: .anybody, body: .json, handler: self.signUp),
            Route(.post, "/v1/sessions", access: .anybody, body: .json, handler: self.logIn),
            Route(.delete, "/v1/sessions/current", access: .bearer(self.node), handler: self.logOut),
            Route(.delete, "/v1/sessions", access: .bearer(self.node), handler: self.logOutEverywhere),
            Route(
                .post,
                "/v1/sessions/current/confirm",
                access: .bearer(self.node),
                body: .json,
                handler: self.confirm
            ),
            Route(.put, "/v1/me/password", access: .bearer(self.node), body: .json, handler: self.setPassword),
            Route(.get, "/v1/me", access: login, handler: self.profile),
            Route(.patch, "/v1/me", access: login, body: .json, handler: self.updateProfile),
            Route(.delete, "/v1/me", access: login, handler: self.deleteAccount),
            Route(.get, "/v1/me/export", access: login, handler: self.export),
        ]
    }

    // MARK: - Logins

    private func signUp(_ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        try self.requirePasswords()
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
        try self.requirePasswords()
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
        return try await self.end(try await directory.logOut(token: token.text))
    }

    private func logOutEverywhere(_ request: RouteRequest, _ token: BearerToken) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        return try await self.end(try await directory.logOutEverywhere(token: token.text))
    }

    /// Closes the sockets of ended logins, and answers with the address that ends the session at the provider.
    private func end(_ login: Committed<EndedLogin>) async throws -> HTTPResponse {
        await self.router.apply(login.changes)
        guard let url = await self.signIns.logoutURL(login.value) else { return HTTPResponse(status: 204) }
        return .json(LogoutBody(logoutUrl: url))
    }

    private func confirm(_ request: RouteRequest, _ token: BearerToken) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        try self.requirePasswords()
        let password = try await self.node.reading(for: token) { () throws(FrameError) in
            try request.json { (fields) throws(FrameError) in
                try fields.required("current", fields.string("current"))
            }
        }
        let asker = try await directory.authenticate(token: token.text)
        try await directory.requirePassword(
            password,
            of: asker.user,
            address: self.node.strangerAddress(of: request.base)
        )
        try await directory.noteProof(of: asker)
        return HTTPResponse(status: 204)
    }

    private func setPassword(_ request: RouteRequest, _ token: BearerToken) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        try self.requirePasswords()
        let body = try await self.node.reading(for: token) { () throws(FrameError) in
            try request.json { (fields) throws(FrameError) in
                (new: try fields.required("new", fields.string("new")), current: try fields.string("current"))
            }
        }
        let asker: Authentication
        if let current = body.current {
            asker = try await directory.authenticate(token: token.text)
            try await directory.requirePassword(
                current,
                of: asker.user,
                address: self.node.strangerAddress(of: request.base)
            )
        } else {
            asker = try await directory.authenticateRecent(token: token.text)
        }
        let ended = try await directory.setPassword(of: asker, to: body.new)
        await self.router.apply(ended.changes)
        return HTTPResponse(status: 204)
    }

    /// Throws when the operator switched passwords off.
    private func requirePasswords() throws(FrameError) {
        guard self.node.configuration.hasPasswords else {
            throw FrameError(.forbidden, message: "This server has no passwords; sign in by one of its providers.")
        }
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
