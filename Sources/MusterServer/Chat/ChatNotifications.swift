import MusterCore
import Postgres

// The notifications of a room are computed from stored rows alone, after the chat writer's commit. The same transaction
// stores how far it got. So each message is notified exactly once, regardless of retries and crashes.

/// The changes to users' notifications that follow from changes in rooms.
struct ChatNotifications: Sendable {
    /// Notifications that were stored.
    var publications: [Publication] = []
    /// Unseen notifications that were withdrawn, by user.
    var withdrawn: [UserID: [Int64]] = [:]
}

extension Directory {
    /// The number of rooms in one transaction.
    static let roomsAtATime = 64

    /// Some of the rooms with changes that were not processed for notifications yet.
    ///
    /// - Throws: `unavailable`.
    func unnotifiedRooms() async throws -> [RoomID] {
        let result = try await self.query(
            """
            SELECT r.id FROM muster.room r LEFT JOIN muster.room_told t ON t.room_id = r.id
            WHERE r.version > coalesce(t.version, 0) ORDER BY r.id LIMIT 10000
            """
        )
        return try result.map { row in try row.id("id") }
    }

    /// Stores the notifications that follow from changes in rooms.
    ///
    /// - Throws: `unavailable`.
    func notify(of rooms: [RoomID]) async throws -> ChatNotifications {
        let now = self.now
        return try await self.transaction { transaction in
            let results = try await transaction.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.room_told (room_id, version)
                    SELECT r.id, 0 FROM muster.room r WHERE r.id = ANY ($1) ORDER BY r.id
                    ON CONFLICT (room_id) DO NOTHING
                    """,
                    [.ids(rooms)]
                ),
                PostgresStatement(
                    "SELECT room_id FROM muster.room_told WHERE room_id = ANY ($1) ORDER BY room_id FOR NO KEY UPDATE",
                    [.ids(rooms)]
                ),
                PostgresStatement(
                    """
                    SELECT r.id, t.version AS told, r.version, \(RoomChanges.Head.columns) FROM muster.room r
                        JOIN muster.room_told t ON t.room_id = r.id \(RoomChanges.Head.tables)
                    WHERE r.id = ANY ($1) AND r.version > t.version ORDER BY r.id
                    """,
                    [.ids(rooms)]
                ),
            ])
            let heads = try results[2].map { row in try RoomChanges.Head(row) }
            guard !heads.isEmpty else { return ChatNotifications() }
            return try await Self.notify(heads, at: now, in: transaction)
        }
    }

    /// Stores notifications of unread messages for a user who went offline.
    ///
    /// - Throws: `unavailable`.
    func notifyUnread(of user: UserID) async throws -> ChatNotifications {
        let now = self.now
        return try await self.transaction { transaction in
            let found = try await transaction.query(
                """
                SELECT r.id, r.version AS told, r.version, \(RoomChanges.Head.columns) FROM muster.room_member b
                    JOIN muster.room r ON r.id = b.room_id \(RoomChanges.Head.tables)
                WHERE b.user_id = $1 AND r.last_seq > b.read_seq ORDER BY r.id
                """,
                [.id(user)]
            )
            let heads = try found.map { row in try RoomChanges.Head(row) }
            guard !heads.isEmpty else { return ChatNotifications() }
            return try await Self.notify(heads, at: now, absent: user, in: transaction)
        }
    }

    private static func notify(
        _ heads: [RoomChanges.Head],
        at now: Timestamp,
        absent: UserID? = nil,
        in transaction: PostgresTransaction
    ) async throws -> ChatNotifications {
        let rooms = heads.map(\.room)
        let results = try await transaction.pipeline([
            PostgresStatement(
                ChatMessage.selection(
                    from: """
                        (SELECT s.* FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS x(room_id, told, upto)
                            JOIN muster.message s
                            ON s.room_id = x.room_id AND s.version > x.told AND s.version <= x.upto)
                        """
                ) + " ORDER BY m.room_id, m.version",
                [.ids(rooms), .int64Array(heads.map(\.notified)), .int64Array(heads.map(\.version))]
            ),
            PostgresStatement(
                """
                SELECT x.*, EXISTS (SELECT FROM muster.notification n WHERE n.user_id = x.user_id AND n.kind = 'messages'
                    AND n.subject = x.room_id || ':' || x.last_unread) AS is_told FROM (
                SELECT b.room_id, b.user_id, b.muted::text AS muted, b.read_seq,
                    ARRAY(SELECT k.blocked_id FROM muster.block k WHERE k.user_id = b.user_id) AS blocked,
                    CASE WHEN due.is_due THEN (SELECT m.seq FROM muster.message m WHERE \(Self.unreadCondition)
                        ORDER BY m.seq LIMIT 1) END AS first_unread,
                    CASE WHEN due.is_due THEN (SELECT m.seq FROM muster.message m WHERE \(Self.unreadCondition)
                        ORDER BY m.seq DESC LIMIT 1) END AS last_unread
                FROM muster.room_member b
                    LEFT JOIN muster.presence e ON e.user_id = b.user_id
                    CROSS JOIN LATERAL (SELECT (b.user_id = $2 OR $2 IS NULL AND coalesce(e.state <> 'online', true))
                        AND b.muted = 'none' AND NOT EXISTS (SELECT FROM muster.notification n
                            WHERE n.user_id = b.user_id AND n.kind = 'messages' AND n.seen_at IS NULL
                                AND n.payload ->> 'room' = b.room_id::text) AS is_due) AS due
                WHERE b.room_id = ANY ($1) AND ($2::bigint IS NULL OR b.user_id = $2)) x
                """,
                [.ids(rooms), .optional(absent?.rawValue)]
            ),
        ])
        let changes = try RoomChanges(heads, results[0], results[1], at: now)
        let (deleted, changed) = (changes.deleted, changes.changed)
        let withdrawn = try await transaction.pipeline([
            PostgresStatement(
                """
                DELETE FROM muster.notification n USING unnest($1::bigint[], $2::bigint[], $3::text[]) AS x(room_id, seq, text)
                WHERE n.kind IN ('mention', 'wait_for_me') AND n.seen_at IS NULL
                    AND n.user_id IN (SELECT b.user_id FROM muster.room_member b WHERE b.room_id = x.room_id)
                    AND n.payload ->> 'room' = x.room_id::text AND (n.payload ->> 'seq')::bigint = x.seq
                    AND (x.text IS NULL OR n.kind = 'mention' AND n.payload ->> 'text' <> x.text)
                RETURNING n.user_id, n.number
                """,
                [
                    .ids(changed.map(\.place.room)), .int64Array(changed.map(\.place.seq)),
                    .textArray(changed.map(\.text)),
                ]
            ),
            PostgresStatement(
                """
                DELETE FROM muster.notification n USING muster.room_member b
                WHERE b.room_id = ANY ($1) AND n.user_id = b.user_id AND n.kind = 'messages' AND n.seen_at IS NULL
                    AND n.payload ->> 'room' = b.room_id::text
                    AND NOT EXISTS (SELECT FROM muster.message m WHERE \(Self.unreadCondition))
                RETURNING n.user_id, n.number
                """,
                [.ids(Set(deleted.map(\.room)))]
            ),
            PostgresStatement(
                """
                UPDATE muster.room_told t SET version = x.version
                FROM unnest($1::bigint[], $2::bigint[]) AS x(room_id, version)
                WHERE t.room_id = x.room_id AND t.version < x.version
                """,
                [.ids(rooms), .int64Array(heads.map(\.version))]
            ),
        ])
        var result = ChatNotifications()
        for row in [withdrawn[0], withdrawn[1]].joined() {
            result.withdrawn[try row.id("user_id"), default: []].append(try row.int64("number"))
        }
        let records = try await transaction.joined(changes.records)
        guard !records.isEmpty else { return result }
        let numbered = try await transaction.commit(with: [NotifyStatement.make(records)])[0]
        for given in try NotifyStatement.numbers(in: numbered) {
            let record = records[given.place]
            let number = NotificationNumber(user: record.user, number: given.number)
            result.publications.append(Publication(stored: record.content, numbers: [number]))
        }
        return result
    }
}

extension PostgresTransaction {
    /// Returns the notifications whose users are still in the room, and locks their room memberships until the commit.
    ///
    /// A concurrent removal of a member therefore also removes the notification stored here.
    fileprivate func joined(
        _ notified: [(membership: RoomLog.MembershipKey, record: NotificationRecord)]
    ) async throws -> [NotificationRecord] {
        guard !notified.isEmpty else { return [] }
        let result = try await self.query(
            """
            SELECT b.room_id, b.user_id FROM muster.room_member b
            WHERE (b.room_id, b.user_id) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))
            ORDER BY b.room_id, b.user_id FOR KEY SHARE
            """,
            [.ids(notified.map(\.membership.room)), .ids(notified.map(\.membership.user))]
        )
        let memberships = Set(
            try result.map { row in
                RoomLog.MembershipKey(try row.id("room_id"), try row.id("user_id"))
            }
        )
        return notified.filter { memberships.contains($0.membership) }.map(\.record)
    }
}
