import Foundation
import MusterCore
import MusterWire
import Postgres

/// Executes the actions of notifications for their receivers, who need no login: as the request that a session of theirs
/// would send, with all its checks.
struct PushActions: Sendable {
    private let services: any SessionServices
    private let requests: RequestTable
    private let world: any WorldLink
    private let clock: @Sendable () -> Int64

    /// Creates the actions with the table of requests that sessions use.
    init(
        _ services: any SessionServices,
        _ requests: RequestTable,
        world: any WorldLink,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.services = services
        self.requests = requests
        self.world = world
        self.clock = clock
    }

    static var noRight: FrameError {
        FrameError(.unauthorized, message: "The code gives no right to this action.")
    }

    private static var isOver: FrameError {
        FrameError(.gone, message: "It is too late for this: the notification was withdrawn.")
    }

    /// Executes an action.
    ///
    /// - Throws: `unauthorized` for another action and for a target that was removed, `gone` when it is too late, and the
    ///   errors of the request.
    func execute(_ name: String, _ right: PushAction, _ directory: Directory) async throws {
        guard let action = NotificationKind.Action(rawValue: name), !action.opensPage,
            NotificationKind.named(right.kind)?.actions.contains(action) == true,
            try await directory.isPushTarget(right.target, of: right.user)
        else { throw Self.noRight }
        switch action {
        case .seen:
            guard try await directory.seeNotification(right.subject, of: right.user) else { throw Self.isOver }
            self.world.send(.chat(.seen(right.user, [right.subject])))
        case .wait:
            let content = try await self.content(of: right, directory)
            guard let group = content.group else { throw Self.isOver }
            try await self.run(GroupWait(group, key: "n\(right.subject)"), as: right.user)
        case .comeAlong, .stayAway:
            let content = try await self.content(of: right, directory)
            guard let group = content.group, let plan = content.payload["plan"]?.text.flatMap({ PlanID($0) }) else {
                throw Self.isOver
            }
            try await self.run(
                PlanAnswerRequest(action == .comeAlong ? .in : .out, to: plan, in: group),
                as: right.user
            )
        case .like, .dislike:
            try await self.run(
                SpotVote(spot: SpotID(right.subject), vote: action == .like ? .like : .dislike),
                as: right.user
            )
        case .refuse:
            self.world.send(.locateRefused(LocateID(right.subject), by: right.user))
        case .locate, .answer:
            throw Self.noRight
        }
    }

    private func content(of right: PushAction, _ directory: Directory) async throws -> NotificationContent {
        guard let content = try await directory.notification(right.subject, of: right.user) else { throw Self.isOver }
        return content
    }

    /// Executes a request as a session of the user would.
    private func run(_ request: any ClientRequest, as user: UserID) async throws {
        let entry = self.requests.entry(for: request)
        try entry.meter?.charge(1, to: RatedSubject(user, request), now: self.clock())
        guard case .asynchronous(let handle) = entry.handling else {
            preconditionFailure("the request needs a session")
        }
        // Without a tag, a frame is encoded only for a failure.
        let outcome = try await handle(request, Caller(user: user))
        await self.services.apply(outcome.changes) { outcome.inputs }
        guard outcome.frame == nil else { throw Self.isOver }
    }
}

extension Directory {
    /// Whether a target is still registered for a user.
    ///
    /// - Throws: `unavailable`.
    func isPushTarget(_ id: PushTargetID, of user: UserID) async throws -> Bool {
        let result = try await self.query(
            "SELECT 1 AS one FROM muster.push_target WHERE id = $1 AND user_id = $2",
            [.id(id), .id(user)]
        )
        return !result.isEmpty
    }

    /// A stored notification of a user; nil when it was withdrawn.
    ///
    /// - Throws: `unavailable`.
    func notification(_ number: Int64, of user: UserID) async throws -> NotificationContent? {
        let result = try await self.query(
            """
            SELECT n.kind, n.group_id, n.at, n.payload::text AS payload FROM muster.notification n
            WHERE n.user_id = $1 AND n.number = $2
            """,
            [.id(user), .int64(number)]
        )
        guard let row = result.first else { return nil }
        return NotificationContent(
            kind: try row.text("kind"),
            group: try row.optionalInt64("group_id").map(GroupID.init),
            at: try row.timestamp("at"),
            payload: NotificationPayload(try JSONDocument(Array(try row.text("payload").utf8)).root)
        )
    }

    /// Marks one notification as seen.
    ///
    /// - Returns: whether there is such a notification.
    /// - Throws: `unavailable`.
    func seeNotification(_ number: Int64, of user: UserID) async throws -> Bool {
        let result = try await self.change(
            """
            UPDATE muster.notification SET seen_at = coalesce(seen_at, $3) WHERE user_id = $1 AND number = $2
            RETURNING number
            """,
            [.id(user), .int64(number), .timestamptz(self.now)]
        )
        return !result.isEmpty
    }
}

/// Bytes in the usual base64, with padding.
func base64Text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
