import EventLoop
import MusterCore
import MusterWire
import OutboundHTTP
import WebSocketGateway

/// Notifications to people whose app is closed (public/docs/protocol.md#push).
struct PushRoutes: Sendable {
    private let node: ServerNode
    /// Nil when this server sends none.
    private let push: PushService?
    private let actions: PushActions
    /// Limits the tests of each user: five at once, and one every twelve minutes.
    private let testMeter = RateMeter<UserID>(rate: 5.0 / 3_600, burst: 5)
    /// Limits the registrations of each user.
    private let targetMeter = RateMeter<UserID>(rate: 1.0 / 30, burst: 30)

    init(_ node: ServerNode, _ push: PushService?, _ actions: PushActions) {
        self.node = node
        self.push = push
        self.actions = actions
    }

    /// The routes of the table.
    var routes: [Route] {
        let login = Access.login(self.node)
        let bearer = Access.bearer(self.node)
        return [
            Route(.get, "/v1/push/key", access: .anybody, handler: self.key),
            Route(.post, "/v1/push/targets", access: bearer, body: .json, handler: self.register),
            Route(.get, "/v1/push/targets", access: bearer, handler: self.list),
            Route(.delete, "/v1/push/targets/{target}", access: login, handler: self.remove),
            Route(.post, "/v1/push/targets/{target}/test", access: login, body: .json, handler: self.test),
            Route(.post, "/v1/push/act", access: .anybody, body: .json, handler: self.act),
            Route(.post, "/v1/push/renew", access: .anybody, body: .json, handler: self.renew),
            Route(.get, "/v1/me/push", access: login, handler: self.settings),
            Route(.patch, "/v1/me/push", access: login, body: .json, handler: self.changeSettings),
        ]
    }

    /// The service.
    ///
    /// - Throws: `notFound` when this server sends no notifications to closed apps.
    private func service() throws(FrameError) -> PushService {
        guard let push else {
            throw FrameError(.notFound, message: "This server sends no notifications to closed apps.")
        }
        return push
    }

    private func key(_ request: RouteRequest) async throws -> HTTPResponse {
        .json(["key": try self.service().publicKey])
    }

    // MARK: - Targets

    private func register(_ request: RouteRequest, _ token: BearerToken) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let (push, draft) = try await self.node.reading(for: token) { () throws(FrameError) in
            let push = try self.service()
            let draft = try request.json { (fields) throws(FrameError) in try Self.draft(fields, push.configuration) }
            return (push, draft)
        }
        let login = try await directory.authenticate(token: token.text)
        try self.targetMeter.charge(1, to: login.user, now: self.node.clock.milliseconds)
        let added = try await directory.addPushTarget(draft, of: login.user, login: login.login, push.keys)
        let body = RegisteredTargetBody(
            id: added.id,
            renew: added.address.kind == .webpush ? push.keys.renewal(of: added.id, of: login.user) : nil,
            secret: added.address.kind == .webhook && added.address.format == .muster
                ? added.address.secret.map { "whsec_\(base64Text($0))" } : nil
        )
        return .json(body, status: 201)
    }

    private func list(_ request: RouteRequest, _ token: BearerToken) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let login = try await directory.authenticate(token: token.text)
        return .json(["targets": try await directory.pushTargets(of: login.user, login: login.login)])
    }

    private func remove(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        try await self.node.readyDirectory().deletePushTarget(try request.id("target"), of: user)
        return HTTPResponse(status: 204)
    }

    private func test(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        _ = try self.service()
        try self.testMeter.charge(1, to: user, now: self.node.clock.milliseconds)
        do {
            try await self.node.readyDirectory().testPushTarget(try request.id("target"), of: user)
        } catch {
            self.testMeter.refund(1, to: user)
            throw error
        }
        return HTTPResponse(status: 204)
    }

    private static func draft(
        _ fields: JSONFields,
        _ configuration: PushConfiguration
    ) throws(FrameError) -> PushTargetDraft {
        let kind: PushAddress.Kind = try fields.required("type", fields.choice("type"))
        let address: PushAddress
        switch kind {
        case .webpush:
            let subscription = try fields.required("subscription", fields.object("subscription"))
            address = try .browser(subscription, configuration.allowance)
        case .gateway: address = try .app(fields, configuration)
        case .webhook: address = try .webhook(fields, configuration)
        }
        return PushTargetDraft(
            address: address,
            place: Self.place(of: address, configuration),
            name: try fields.text("name", .line(1...80)),
            language: Language(tag: try fields.string("lang", length: 1...35) ?? "en")
        )
    }

    private static func place(of address: PushAddress, _ configuration: PushConfiguration) -> String {
        if let app = address.app { return app }
        return (try? StrangerURL(address.address, allowance: configuration.allowance))?.host ?? "?"
    }

    // MARK: - Without a login

    private func act(_ request: RouteRequest) async throws -> HTTPResponse {
        let push = try self.service()
        let body = try request.json { (fields) throws(FrameError) in
            (
                act: try fields.required("act", fields.string("act", length: 1...512)),
                action: try fields.required("action", fields.string("action", length: 1...40))
            )
        }
        guard let right = PushAction(body.act, push.keys, at: self.node.now) else { throw PushActions.noRight }
        try await self.actions.execute(body.action, right, try self.node.readyDirectory())
        return HTTPResponse(status: 204)
    }

    private func renew(_ request: RouteRequest) async throws -> HTTPResponse {
        let push = try self.service()
        let body = try request.json { (fields) throws(FrameError) in
            (
                id: try fields.required("id", fields.identifier("id")) as PushTargetID,
                code: try fields.required("renew", fields.string("renew", length: 1...64)),
                address: try PushAddress.browser(
                    try fields.required("subscription", fields.object("subscription")),
                    push.configuration.allowance
                )
            )
        }
        try await self.node.readyDirectory().renewPushTarget(
            body.id,
            code: body.code,
            body.address,
            place: Self.place(of: body.address, push.configuration),
            push.keys
        )
        return HTTPResponse(status: 204)
    }

    // MARK: - Settings

    private func settings(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let settings = try await self.node.readyDirectory().pushSettings(of: user)
        return .json(PushSettingsBody(settings, key: self.push?.publicKey))
    }

    private func changeSettings(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        // Checks the content type and that the body is an object.
        try request.json { (_) throws(FrameError) in }
        let body = request.base.body
        let settings = try await self.node.readyDirectory().changePushSettings(of: user) { settings in
            try settings.apply(try JSONDocument(body).root)
        }
        return .json(PushSettingsBody(settings, key: self.push?.publicKey))
    }
}

/// The answer to the registration of a target; its secrets are shown only here.
private struct RegisteredTargetBody: Encodable {
    let id: PushTargetID
    /// The code with which the browser renews the address.
    let renew: String?
    /// The secret of a webhook's signatures.
    let secret: String?
}
