import MusterCore
import MusterWire
import WebSocketGateway

/// Groups over HTTP: the preview of an invite, and past gatherings (public/docs/protocol.md#follow-a-group).
struct GroupRoutes: Sendable {
    private let node: ServerNode

    init(_ node: ServerNode) { self.node = node }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(.get, "/v1/invites/{code}", access: .anybody, handler: self.invite),
            Route(
                .get,
                "/v1/groups/{group}/gatherings",
                access: .login(self.node),
                handler: self.gatherings
            ),
        ]
    }

    private func invite(_ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let code = request.parameter("code")
        let preview = try await directory.invitePreview(code)
        return .json(InviteBody(code: code, preview))
    }

    private func gatherings(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let group: GroupID = try request.id("group")
        let limit = request.query("limit").map { Int($0) ?? 0 } ?? 20
        let after = try request.query("after").map { (text) throws(FrameError) in
            guard let id = GatheringID(text) else {
                throw FrameError(.badRequest, message: "after must be the id of a gathering.", field: "after")
            }
            return id
        }
        let gatherings = try await directory.gatherings(of: group, for: user, after: after, limit: limit)
        return .json(GatheringsBody(gatherings, isFull: gatherings.count == limit))
    }
}
