import MusterCore
import MusterWire
import WebSocketGateway

/// The routes of chat: requests to wait (public/docs/protocol.md#gatherings), and the list of blocked users.
struct ChatRoutes: Sendable {
    private let node: ServerNode
    private let chatService: ChatService

    init(_ node: ServerNode, _ chatService: ChatService) {
        self.node = node
        self.chatService = chatService
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/groups/{group}/wait",
                access: .login(self.node),
                body: .json,
                handler: self.wait
            ),
            Route(.get, "/v1/me/blocked", access: .login(self.node), handler: self.blocked),
        ]
    }

    private func wait(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let group: GroupID = try request.id("group")
        let waitRequest = try request.json { (fields) throws(FrameError) in try GroupWait(group, reading: fields) }
        let message = try await self.chatService.wait(waitRequest, by: user, directory)
        return HTTPResponse(
            status: 200,
            headers: [("content-type", "application/json"), ("cache-control", "no-store")],
            body: WireEncoder.encode(GroupWaitAnswer(message))
        )
    }

    private func blocked(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let people = try await directory.blocked(by: user)
        return .json(BlockedBody(people))
    }
}

/// The answer to `GET /v1/me/blocked`.
struct BlockedBody: Encodable {
    private let blocked: [UserView]

    init(_ people: [UserProfile]) { self.blocked = people.map { UserView($0) } }
}
