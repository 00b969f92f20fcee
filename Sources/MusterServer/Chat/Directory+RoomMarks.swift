import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Stores how far a user has read in a room; the position only rises.
    ///
    /// - Throws: `notMember`, `unavailable`.
    func readRoom(
        _ room: RoomID,
        upTo seq: Int64,
        by user: UserID
    ) async throws -> RoomReadReceipt {
        let now = self.now
        return try await self.transaction { transaction in
            let results = try await transaction.pipeline([
                PostgresStatement(
                    """
                    UPDATE muster.room_member b SET read_seq = greatest(b.read_seq, least($3, r.last_seq))
                    FROM muster.room r WHERE r.id = b.room_id AND b.room_id = $1 AND b.user_id = $2
                    """,
                    [.id(room), .id(user), .int64(seq)]
                ),
                PostgresStatement(
                    """
                    SELECT b.read_seq, \(Self.unreadColumns) FROM muster.room_member b
                    WHERE b.room_id = $1 AND b.user_id = $2
                    """,
                    [.id(room), .id(user)]
                ),
                PostgresStatement(
                    """
                    UPDATE muster.notification n SET seen_at = $3 FROM muster.room_member b
                    WHERE b.room_id = $1 AND b.user_id = $2 AND n.user_id = b.user_id AND n.seen_at IS NULL
                        AND n.kind IN ('mention', 'messages', 'wait_for_me') AND n.payload ->> 'room' = b.room_id::text
                        AND (n.payload ->> 'seq')::bigint <= b.read_seq
                    RETURNING n.number
                    """,
                    [.id(room), .id(user), .timestamptz(now)]
                ),
            ])
            guard let row = results[1].first else { throw FrameError.notInRoom }
            return RoomReadReceipt(
                seq: try row.int64("read_seq"),
                unread: Int(try row.int64("unread")),
                mentions: Int(try row.int64("mentioned")),
                seen: try results[2].map { row in try row.int64("number") }
            )
        }
    }

    /// A read mark with counts for a position that may not be stored yet.
    ///
    /// - Throws: `notMember`, `unavailable`.
    func readMark(
        of room: RoomID,
        upTo seq: Int64,
        by user: UserID
    ) async throws -> RoomReadReceipt {
        let result = try await self.query(
            """
            SELECT b.read_seq, \(Self.unreadColumns) FROM (
                SELECT x.room_id, x.user_id, x.from_seq, greatest(x.read_seq, least($3, r.last_seq)) AS read_seq
                FROM muster.room_member x JOIN muster.room r ON r.id = x.room_id
                WHERE x.room_id = $1 AND x.user_id = $2
            ) b
            """,
            [.id(room), .id(user), .int64(seq)]
        )
        guard let row = result.first else { throw FrameError.notInRoom }
        return RoomReadReceipt(
            seq: try row.int64("read_seq"),
            unread: Int(try row.int64("unread")),
            mentions: Int(try row.int64("mentioned")),
            seen: []
        )
    }

    /// Changes a user's mute setting of a room and, for its host, the slow mode.
    ///
    /// - Throws: `notMember`, `forbidden`, `unavailable`.
    func setRoom(
        _ room: RoomID,
        muted: RoomMute?,
        slow: Int?,
        by user: UserID
    ) async throws -> RoomView {
        try await self.transaction { transaction in
            let found = try await transaction.query(
                """
                SELECT \(Self.isRoomHost) AS is_host FROM muster.room_member b
                    JOIN muster.room r ON r.id = b.room_id \(Self.roomHost)
                WHERE b.room_id = $1 AND b.user_id = $2
                """,
                [.id(room), .id(user)]
            )
            guard let row = found.first else { throw FrameError.notInRoom }
            let isHost = try row.bool("is_host")
            guard slow == nil || isHost else {
                throw FrameError(
                    .forbidden,
                    message: "Only the owner of the group, or the host of the event, may do this."
                )
            }
            let results = try await transaction.pipeline([
                PostgresStatement(
                    "UPDATE muster.room SET slow_seconds = $2::integer WHERE id = $1 AND $2::integer IS NOT NULL",
                    [.id(room), .optional(slow.map { Int32($0) })]
                ),
                PostgresStatement(
                    """
                    UPDATE muster.room_member SET muted = $3::text::muster.room_muted
                    WHERE room_id = $1 AND user_id = $2 AND $3::text IS NOT NULL
                    """,
                    [.id(room), .id(user), .optional(muted?.rawValue)]
                ),
                PostgresStatement(Self.selectRooms, [.id(user), .ids([room])]),
                PostgresStatement(ChatMessage.selection(from: "(\(Self.selectLast))"), [.id(user), .ids([room])]),
            ])
            guard let row = results[2].first else { throw FrameError.notInRoom }
            return try Self.view(
                row,
                last: try results[3].first.map { row in try ChatMessage(row) }
            )
        }
    }
}
