import EventLoop
import Foundation
import MusterCore
import MusterWire
import WebSocketGateway

/// Sign-in by other providers over HTTP (public/docs/protocol.md#sign-in).
struct SignInRoutes: Sendable {
    private let node: ServerNode
    private let service: SignInService
    private let router: ChangeRouter
    private let signUps: RateMeter<String>
    /// Limits the sign-ins that begin, by address: twenty a minute.
    private let starts = RateMeter<String>(rate: 20.0 / 60, burst: 20)

    /// Creates the routes; `signUps` is the meter of new accounts.
    init(_ node: ServerNode, _ service: SignInService, _ router: ChangeRouter, signUps: RateMeter<String>) {
        self.node = node
        self.service = service
        self.router = router
        self.signUps = signUps
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(.get, "/v1/auth/providers", access: .anybody, handler: self.providers),
            Route(.post, "/v1/auth/{provider}/start", access: .anybody, body: .json, handler: self.start),
            Route(.get, "/v1/auth/{provider}/callback", access: .anybody, handler: self.comeBack),
            // The provider's page sends the form.
            Route(
                .post,
                "/v1/auth/{provider}/callback",
                access: .anybody,
                body: .json,
                origins: .any,
                handler: self.comeBack
            ),
            Route(.post, "/v1/auth/exchange", access: .anybody, body: .json, handler: self.exchange),
            Route(
                .post,
                "/v1/auth/{provider}/backchannel-logout",
                access: .anybody,
                body: .json,
                origins: .any,
                handler: self.endLogins
            ),
            Route(.get, "/v1/me/identities", access: .login(self.node), handler: self.identities),
            Route(.delete, "/v1/me/identities/{identity}", access: .recentLogin(self.node), handler: self.unlink),
        ]
    }

    private func providers(_ request: RouteRequest) async throws -> HTTPResponse {
        .json(
            ProvidersBody(
                passwords: self.node.configuration.hasPasswords,
                providers: self.service.providers.map {
                    ProvidersBody.Provider(id: $0.settings.id, name: $0.settings.name, available: $0.isAvailable)
                }
            )
        )
    }

    private func start(_ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        if let address = self.node.strangerAddress(of: request.base) {
            try self.starts.charge(1, to: address, now: self.node.clock.milliseconds)
        }
        let body = try request.json { (fields) throws(FrameError) in
            (
                purpose: try fields.required("purpose", fields.choice("purpose") as SignInPurpose?),
                returnTo: try fields.string("return") ?? "/",
                isFresh: try fields.flag("fresh") ?? false
            )
        }
        let asker: Authentication? =
            switch body.purpose {
            case .login: nil
            case .link: try await directory.authenticateRecent(token: request.bearerToken())
            case .confirm: try await directory.authenticate(token: request.bearerToken())
            }
        let start = try await self.service.start(
            request.parameter("provider"),
            purpose: body.purpose,
            asker: asker,
            returnTo: body.returnTo,
            isFresh: body.isFresh,
            in: directory
        )
        return .json(SignInStartBody(url: start.url, flow: start.flow))
    }

    private func comeBack(_ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let fields = request.base.method == .post ? FormFields.decoded(request.base.body) : request.base.query
        let location = try await self.service.comeBack(request.parameter("provider"), fields, in: directory)
        return HTTPResponse(
            status: 303,
            headers: [("location", location), ("cache-control", "no-store"), ("referrer-policy", "no-referrer")]
        )
    }

    private func exchange(_ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let body = try request.json { (fields) throws(FrameError) in
            (
                ticket: try fields.required("ticket", fields.string("ticket", length: 1...100)),
                flow: try fields.required("flow", fields.string("flow", length: 1...100))
            )
        }
        let address = self.node.strangerAddress(of: request.base)
        let result = try await self.service.exchange(
            ticket: body.ticket,
            flow: body.flow,
            bearer: try? request.bearerToken(),
            address: address,
            in: directory
        ) {
            guard let address else { return }
            try self.signUps.charge(1, to: address, now: self.node.clock.milliseconds)
        }
        switch result {
        case .loggedIn(let credentials, let isNew):
            return .json(CredentialsBody(credentials), status: isNew ? 201 : 200)
        case .linked(let user): return try await self.identities(of: user, in: directory)
        case .confirmed: return HTTPResponse(status: 204)
        }
    }

    private func endLogins(_ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let fields = FormFields.decoded(request.base.body)
        guard let token = fields.first(where: { $0.name == "logout_token" })?.value else {
            throw FrameError(.badRequest, message: "The form must contain logout_token.", field: "logout_token")
        }
        let ended = try await self.service.endLogins(request.parameter("provider"), token: token, in: directory)
        await self.router.apply(ended.changes)
        return HTTPResponse(status: 200, headers: [("cache-control", "no-store")])
    }

    // MARK: - The user's identities

    private func identities(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        try await self.identities(of: user, in: try self.node.readyDirectory())
    }

    private func unlink(_ request: RouteRequest, _ asker: Authentication) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let ended = try await directory.unlink(try request.id("identity"), from: asker)
        await self.router.apply(ended.changes)
        return HTTPResponse(status: 204)
    }

    private func identities(of user: UserID, in directory: Directory) async throws -> HTTPResponse {
        let identities = try await directory.identities(of: user)
        let names = Dictionary(uniqueKeysWithValues: self.service.providers.map { ($0.settings.id, $0.settings.name) })
        return .json(
            IdentitiesBody(
                password: try await directory.hasPassword(user),
                identities: identities.map {
                    IdentitiesBody.Identity(
                        id: $0.id,
                        provider: $0.provider,
                        name: names[$0.provider] ?? $0.provider,
                        at: $0.createdAt,
                        lastLoginAt: $0.lastLoginAt
                    )
                }
            )
        )
    }
}

extension Access<Authentication> {
    /// Admits a login whose user proved who they are at most ten minutes ago.
    static func recentLogin(_ node: ServerNode) -> Self {
        Access { request in
            try await node.readyDirectory().authenticateRecent(token: request.bearerToken())
        }
    }
}

/// The fields of a form in a body.
enum FormFields {
    /// Decodes `application/x-www-form-urlencoded`; fields that are not UTF-8 are left out.
    static func decoded(_ body: [UInt8]) -> [(name: String, value: String)] {
        String(decoding: body, as: UTF8.self).split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = parts[0], let value = parts.count == 2 ? parts[1] : "" else { return nil }
            return (name, value)
        }
    }
}
