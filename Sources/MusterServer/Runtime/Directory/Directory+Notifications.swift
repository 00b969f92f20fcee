import MusterCore
import MusterWire
import Postgres

/// The stored notifications of a user.
struct StoredInbox: Sendable, Equatable {
    /// The highest notification number of the user so far.
    var lastNumber: Int64
    /// The newest unseen notifications, oldest first.
    var unseen: [NumberedNotification]
}

extension Directory {
    /// Reads the stored notifications of a user.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func inbox(of user: UserID) async throws -> StoredInbox {
        let result = try await self.query(
            "SELECT a.id AS user_id, a.last_notification, \(Self.unseenColumn) FROM muster.account a WHERE a.id = $1",
            [.id(user)]
        )
        guard let row = result.first else { throw FrameError(.notFound, message: "There is no such account.") }
        return StoredInbox(
            lastNumber: try row.int64("last_notification"),
            unseen: try row.notifications("unseen")
        )
    }

    /// The newest 200 unseen notifications of `muster.account a`, for `notifications(_:)`.
    ///
    /// Notifications about a group that the user left are excluded; a concurrent journal batch may have stored one.
    static let unseenColumn = """
        (SELECT array_agg(x.line ORDER BY x.number) FROM (
            SELECT n.number, jsonb_build_object('number', n.number, 'kind', n.kind, 'group', n.group_id,
                'groupName', ng.name, 'from', n.from_id, 'subject', n.subject,
                'at', (extract(epoch FROM n.at) * 1000)::bigint, 'payload', n.payload)::text AS line
            FROM muster.notification n LEFT JOIN muster.grp ng ON ng.id = n.group_id
            WHERE n.user_id = a.id AND n.seen_at IS NULL
                AND (n.group_id IS NULL OR EXISTS (SELECT FROM muster.membership nm
                    WHERE nm.group_id = n.group_id AND nm.user_id = n.user_id AND nm.joined_at <= n.at))
            ORDER BY n.number DESC LIMIT 200
        ) x) AS unseen
        """
}

extension PostgresRow {
    /// Parses notifications of the user in `user_id` from an array of JSON texts; NULL is an empty list.
    func notifications(_ column: String) throws -> [NumberedNotification] {
        guard try !self.isNull(column) else { return [] }
        let user: UserID = try self.id("user_id")
        var notifications: [NumberedNotification] = []
        for case let text? in try self.textArray(column) {
            guard let line = try? JSONDocument(Array(text.utf8)), let number = line["number"].int,
                let kind = line["kind"].string, let at = line["at"].int
            else {
                throw PostgresError(.decoding, message: "a notification is not what was asked for")
            }
            let content = NotificationContent(
                kind: kind,
                group: line["group"].int.map(GroupID.init),
                groupName: line["groupName"].string,
                from: line["from"].int.map(UserID.init),
                subject: line["subject"].string,
                at: Timestamp(milliseconds: at),
                payload: NotificationPayload(line["payload"])
            )
            notifications.append(NumberedNotification(user: user, number: number, content: content))
        }
        return notifications
    }
}
