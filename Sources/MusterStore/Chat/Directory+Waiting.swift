package import MusterCore
import Postgres

extension Directory {
    /// Whom somebody who is not there asks to wait.
    package struct WaitAudience: Sendable, Equatable {
        package var gathering: GatheringID
        /// Those who are together.
        package var together: [UserID]
        /// Metres from who asks to the place; nil when they do not share where they are.
        package var distance: Double?
    }

    /// Finds those who are together while a person is absent, or of whom the person was alerted within the hour.
    ///
    /// - Returns: nil when there are none.
    /// - Throws: `notMember`, `unavailable`.
    package func waitAudience(of group: GroupID, for user: UserID) async throws(DirectoryError) -> WaitAudience? {
        let now = self.now
        let result = try await self.query(
            """
            SELECT x.id AS gathering_id,
                CASE WHEN m.sharing = 'live' OR m.sharing_until <= $3
                    THEN (SELECT ST_Distance(p.place, x.place) FROM muster.position p WHERE p.user_id = $2) END AS distance,
                ARRAY(SELECT o.user_id FROM muster.gathering_member o
                    JOIN muster.membership om ON om.group_id = x.group_id AND om.user_id = o.user_id
                    WHERE o.gathering_id = x.id AND o.user_id <> $2
                        AND CASE WHEN x.ended_at IS NULL THEN o.standing = 'together' ELSE o.took_part END
                    ORDER BY o.user_id) AS together
            FROM muster.membership m LEFT JOIN LATERAL (
                SELECT g.* FROM muster.gathering g
                WHERE g.group_id = m.group_id AND (
                    g.ended_at IS NULL AND EXISTS (SELECT FROM muster.gathering_member a
                        WHERE a.gathering_id = g.id AND a.user_id = $2 AND a.standing = 'absent')
                    OR EXISTS (SELECT FROM muster.notification n
                        WHERE n.user_id = $2 AND n.kind = 'left_without_you' AND n.group_id = g.group_id
                            AND n.at > $3 - interval '1 hour' AND n.payload ->> 'gathering' = g.id::text))
                ORDER BY g.since DESC LIMIT 1
            ) x ON true
            WHERE m.group_id = $1 AND m.user_id = $2
            """,
            [.id(group), .id(user), .timestamptz(now)]
        )
        guard let row = result.first else { throw DirectoryTransaction.notMember }
        return try decoding { () throws(PostgresError) -> WaitAudience? in
            guard let gathering = try row.optionalInt64("gathering_id") else { return nil }
            return WaitAudience(
                gathering: GatheringID(gathering),
                together: try row.int64Array("together").compactMap { $0.map(UserID.init) },
                distance: try row.optionalFloat8("distance")
            )
        }
    }
}

extension Directory {
    /// What somebody said before, when they ask to wait.
    package struct EarlierWait: Sendable, Equatable {
        /// The same wish, when it was said already.
        package var same: ChatMessage?
        /// When they last asked for it in this group.
        package var last: Timestamp?
    }

    /// Finds out whether a person has just asked to wait.
    ///
    /// - Throws: `unavailable`.
    package func earlierWait(in room: RoomID, by user: UserID, key: String) async throws(DirectoryError) -> EarlierWait
    {
        let results = try await self.pipelined([
            PostgresStatement(
                ChatMessage.selection(
                    from: """
                        (SELECT * FROM muster.message
                        WHERE room_id = $1 AND author_id = $2 AND key = $3 AND kind <> 'system')
                        """
                ),
                [.id(room), .id(user), .text(key)]
            ),
            PostgresStatement(
                """
                SELECT max(at) AS last FROM muster.message WHERE room_id = $1 AND author_id = $2 AND kind = 'wait'
                """,
                [.id(room), .id(user)]
            ),
        ])
        return try decoding { () throws(PostgresError) in
            EarlierWait(
                same: try results[0].first.map { (row) throws(PostgresError) in try ChatMessage(row) },
                last: try results[1].first?.optionalTimestamp("last")
            )
        }
    }
}
