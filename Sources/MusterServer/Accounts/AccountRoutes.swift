import EventLoop
import MusterCore
import MusterStore
import MusterWire
import WebSocketGateway

/// Accounts and logins over HTTP (PROTOCOL 10).
struct AccountRoutes: Sendable {
    private let services: Services

    init(_ services: Services) { self.services = services }

    /// The routes of the table.
    var routes: [Route] {
        let login = Access.login(self.services)
        return [
            Route(.post, "/v1/accounts", access: .anybody, body: .json, handler: self.signUp),
            Route(.post, "/v1/sessions", access: .anybody, body: .json, handler: self.logIn),
            Route(.delete, "/v1/sessions/current", access: .bearer(self.services), handler: self.logOut),
            Route(.get, "/v1/me", access: login, handler: self.profile),
            Route(.patch, "/v1/me", access: login, body: .json, handler: self.updateProfile),
            Route(.delete, "/v1/me", access: login, handler: self.deleteAccount),
            Route(.get, "/v1/me/export", access: login, handler: self.export),
        ]
    }

    // MARK: - Logins

    private func signUp(_ request: RouteRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let address = self.services.strangerAddress(of: request.base)
        if let address {
            try self.services.signUpMeter.charge(1, to: address, now: self.services.clock.milliseconds)
        }
        let body = try request.json(SignUpBody.self)
        let credentials = try await self.services.ask { () throws(DirectoryError) in
            try await directory.signUp(
                username: body.username,
                password: body.password,
                name: body.name,
                address: address
            )
        }
        return .json(CredentialsBody(credentials), status: 201)
    }

    private func logIn(_ request: RouteRequest) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let body = try request.json(LogInBody.self)
        let credentials = try await self.services.ask { () throws(DirectoryError) in
            try await directory.logIn(
                username: body.username,
                password: body.password,
                address: self.services.strangerAddress(of: request.base)
            )
        }
        return .json(CredentialsBody(credentials), status: 201)
    }

    private func logOut(_ request: RouteRequest, _ token: BearerToken) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let login = try await self.services.ask { () throws(DirectoryError) in
            try await directory.logOut(token: token.text)
        }
        self.services.world.send(.loginEnded(login))
        return HTTPResponse(status: 204)
    }

    // MARK: - One's own account

    private func profile(_ request: RouteRequest, _ user: UserID) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let account = try await self.services.ask { () throws(DirectoryError) in
            try await directory.account(of: user)
        }
        return .json(AccountBody(account))
    }

    private func updateProfile(_ request: RouteRequest, _ user: UserID) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let change = try request.json(ProfileBody.self).change()
        let update = try await self.services.ask { () throws(DirectoryError) in
            try await directory.updateProfile(of: user, change)
        }
        self.announce(update.groups)
        return .json(AccountBody(update.account))
    }

    private func deleteAccount(_ request: RouteRequest, _ user: UserID) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        let maps = self.services.spotMaps
        let deletion = try await self.services.ask { () throws(DirectoryError) in
            try await maps.following { () async throws(DirectoryError) in try await directory.deleteAccount(user) }
        }
        maps.remove(deletion.spots)
        self.announce(deletion.groups)
        self.services.world.send(.accountDeleted(user))
        if !deletion.spots.isEmpty { self.services.world.send(.spots(.deleted(deletion.spots))) }
        self.services.pins.remove(deletion.pins)
        for (plan, group) in deletion.sharedPlans {
            let publication = Publication(to: .group(group, except: user), .live(.planGone(plan, from: group)))
            self.services.world.send(.publicationRequested(publication))
        }
        for change in deletion.answeredPlans {
            self.services.world.send(.publicationRequested(Publication(change)))
        }
        self.services.events.remove(deletion.events)
        await self.services.chat.noteChanged(deletion.rooms, in: directory)
        for spot in deletion.votedSpots { self.services.world.send(.spots(.voted(spot, by: nil))) }
        return HTTPResponse(status: 204)
    }

    private func export(_ request: RouteRequest, _ user: UserID) async throws(FrameError) -> HTTPResponse {
        let directory = try self.services.readyDirectory()
        // Asked for before the answer begins: what fails now has a status of its own.
        var export = directory.export(of: user)
        let first = try await self.services.ask { () throws(DirectoryError) in try await export.next() }
        let (services, rest) = (self.services, export)
        let stream = AnswerStream { (stream) async throws in
            var export = rest
            var piece = first
            while let text = piece {
                try await stream.write(Array(text.utf8))
                piece = try await services.ask { () throws(DirectoryError) in try await export.next() }
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

    private func announce(_ groups: [GroupSnapshot]) {
        var inputs = groups.map { WorldInput.groupChanged($0, answer: nil) }
        self.services.world.send(contentsOf: &inputs)
    }
}
