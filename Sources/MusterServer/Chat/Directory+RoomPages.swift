import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Reads messages of a room in ascending order of `seq`.
    ///
    /// - Throws: `notMember`, `unavailable`.
    func messages(
        of room: RoomID,
        _ span: RoomSpan,
        limit: Int,
        for user: UserID
    ) async throws -> RoomPage {
        let rows: (String, PostgresValue)
        switch span {
        case .newest: rows = ("s.seq < $3 ORDER BY s.seq DESC LIMIT $4", .int64(.max))
        case .before(let seq): rows = ("s.seq < $3 ORDER BY s.seq DESC LIMIT $4", .int64(seq))
        case .after(let seq): rows = ("s.seq > $3 ORDER BY s.seq LIMIT $4", .int64(seq))
        case .around(let seq): rows = ("s.seq > $3 ORDER BY s.seq LIMIT $4", .int64(max(0, seq - Int64(limit) / 2 - 1)))
        }
        let results = try await self.pool.pipeline([
            Self.selectMembership(of: user, in: room),
            PostgresStatement(
                ChatMessage.selection(
                    from: """
                        (SELECT s.* FROM muster.room_member b JOIN muster.message s
                            ON s.room_id = b.room_id AND s.seq >= b.from_seq
                        WHERE b.room_id = $1 AND b.user_id = $2 AND \(rows.0))
                        """
                ) + " ORDER BY m.seq",
                [.id(room), .id(user), rows.1, .int64(Int64(limit + 1))]
            ),
        ])
        var page = try Self.page(results)
        page.hasMore = page.messages.count > limit
        switch span {
        case .newest, .before: if page.hasMore { page.messages.removeFirst() }
        case .after, .around: if page.hasMore { page.messages.removeLast() }
        }
        return page
    }

    /// Reads the changes of a room in ascending order of version.
    ///
    /// - Throws: `notMember`; `gone` when the room has another epoch; `unavailable`.
    func changes(
        of room: RoomID,
        epoch: String,
        after version: Int64,
        limit: Int,
        for user: UserID
    ) async throws -> RoomPage {
        let results = try await self.pool.pipeline([
            Self.selectMembership(of: user, in: room),
            PostgresStatement(
                ChatMessage.selection(
                    from: """
                        (SELECT s.* FROM muster.room_member b JOIN muster.message s
                            ON s.room_id = b.room_id AND s.seq >= b.from_seq
                        WHERE b.room_id = $1 AND b.user_id = $2 AND s.version > $3 ORDER BY s.version LIMIT $4)
                        """
                ) + " ORDER BY m.version",
                [.id(room), .id(user), .int64(version), .int64(Int64(limit + 1))]
            ),
        ])
        var page = try Self.page(results)
        guard page.epoch == epoch else {
            throw FrameError(.gone, message: "The room has a new epoch; load its latest messages again.")
        }
        page.hasMore = page.messages.count > limit
        if page.hasMore { page.messages.removeLast() }
        let last = page.messages.last?.version ?? version
        page.version = page.hasMore ? last : max(page.version, last)
        return page
    }

    private static func selectMembership(of user: UserID, in room: RoomID) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT r.epoch, r.version FROM muster.room_member b JOIN muster.room r ON r.id = b.room_id
            WHERE b.room_id = $1 AND b.user_id = $2
            """,
            [.id(room), .id(user)]
        )
    }

    private static func page(_ results: [PostgresResult]) throws -> RoomPage {
        guard let membership = results[0].first else { throw FrameError.notInRoom }
        return RoomPage(
            messages: try results[1].map { row in try ChatMessage(row) },
            hasMore: false,
            epoch: try membership.text("epoch"),
            version: try membership.int64("version")
        )
    }
}
