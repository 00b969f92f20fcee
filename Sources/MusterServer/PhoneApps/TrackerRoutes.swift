import MusterCore
import MusterWire
import WebSocketGateway

/// The phones of a user that report by an app of their own (public/docs/protocol.md#phones-own-apps).
struct TrackerRoutes: Sendable {
    private let node: ServerNode

    init(_ node: ServerNode) { self.node = node }

    /// The routes of the table.
    var routes: [Route] {
        let login = Access.login(self.node)
        return [
            Route(.post, "/v1/me/trackers", access: .recentLogin(self.node), body: .json, handler: self.add),
            Route(.get, "/v1/me/trackers", access: login, handler: self.list),
            Route(.delete, "/v1/me/trackers/{device}", access: login, handler: self.remove),
        ]
    }

    private func add(_ request: RouteRequest, _ asker: Authentication) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let body = try request.json { (fields) throws(FrameError) in
            let app: PhoneApp? = try fields.choice("app")
            return (
                app: try fields.required("app", app),
                name: try fields.required("name", fields.text("name", .displayName))
            )
        }
        let added = try await directory.addTracker(body.app, name: body.name, by: asker.user)
        let setup = TrackerSetup(
            body.app,
            name: body.name,
            user: asker.user,
            token: added.token,
            secret: TrackerSecret(of: added.device, key: self.node.configuration.secretKey),
            base: self.node.linkBase(host: request.headers["host"])
        )
        return .json(
            AddedTrackerBody(
                device: added.device,
                token: added.token,
                link: setup.link,
                qr: QRCode(setup.link)?.svg
            ),
            status: 201
        )
    }

    private func list(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        return .json(TrackersBody(trackers: try await directory.trackers(of: user).map(TrackersBody.Entry.init)))
    }

    private func remove(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        try await directory.removeTracker(request.id("device"), of: user)
        return HTTPResponse(status: 204)
    }
}

/// The answer to `POST /v1/me/trackers`; the token is in no later answer.
private struct AddedTrackerBody: Encodable {
    let device: DeviceID
    let token: String
    let link: String
    /// The link as an SVG picture; absent when it is too long for one.
    let qr: String?
}

/// The answer to `GET /v1/me/trackers`.
private struct TrackersBody: Encodable {
    /// A phone.
    struct Entry: Encodable {
        let device: DeviceID
        let app: PhoneApp
        let name: String
        let at: Timestamp
        let reportedAt: Timestamp?
        let problems: Int64
        let lastProblem: String?
        let lastProblemAt: Timestamp?

        init(_ tracker: Tracker) {
            self.device = tracker.device
            self.app = tracker.app
            self.name = tracker.name
            self.at = tracker.createdAt
            self.reportedAt = tracker.reportedAt
            self.problems = tracker.problems
            self.lastProblem = tracker.lastProblem?.text
            self.lastProblemAt = tracker.lastProblem?.at
        }
    }

    let trackers: [Entry]
}
