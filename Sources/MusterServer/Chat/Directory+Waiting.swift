import MusterCore
import Postgres

extension Directory {
    /// The recipients of an absent member's request to wait.
    struct WaitAudience: Sendable, Equatable {
        var gathering: GatheringID
        /// The members who are together.
        var together: [UserID]
        /// The distance from the absent member to the gathering in metres.
        ///
        /// Nil when the member does not share the position, or has reported none since a pause.
        var distance: Double?
    }

    /// Finds the members who are together while the user is absent, or who were in an alert to the user within the last
    /// hour.
    ///
    /// For a gathering that is over, the result contains the members who were together at the alert.
    ///
    /// - Returns: nil when there is no such gathering.
    /// - Throws: `notMember`, `unavailable`.
    func waitAudience(of group: GroupID, for user: UserID) async throws -> WaitAudience? {
        let now = self.now
        let result = try await self.query(
            """
            SELECT x.id AS gathering_id,
                CASE WHEN muster.sharing_at(m.sharing, m.sharing_until, m.sharing_then, $3) = 'live'
                    THEN (SELECT ST_Distance(p.place, x.place)
                        FROM muster.position p JOIN muster.device d ON d.id = p.device_id,
                            muster.shown_since(m.sharing, m.sharing_until, m.sharing_then, m.visible_since, $3) AS since
                        WHERE p.user_id = $2 AND p.at >= since + CASE
                            WHEN since > m.joined_at AND d.clock_offset IS NULL THEN $4 * interval '1 millisecond'
                            ELSE '0' END) END AS distance,
                ARRAY(SELECT o.user_id FROM muster.membership o
                    WHERE o.group_id = x.group_id AND o.user_id <> $2
                        AND CASE WHEN x.ended_at IS NULL
                            THEN EXISTS (SELECT FROM muster.gathering_member y
                                WHERE y.gathering_id = x.id AND y.user_id = o.user_id AND y.standing = 'together')
                            ELSE x.alerted @> jsonb_build_array(jsonb_build_object('id', o.user_id::text)) END
                    ORDER BY o.user_id) AS together
            FROM muster.membership m LEFT JOIN LATERAL (
                SELECT g.*, alert.together AS alerted FROM muster.gathering g LEFT JOIN LATERAL (
                    SELECT n.payload -> 'together' AS together FROM muster.notification n
                    WHERE n.user_id = $2 AND n.kind = 'left_without_you' AND n.group_id = g.group_id
                        AND n.at > $3 - interval '1 hour' AND n.payload ->> 'gathering' = g.id::text
                    ORDER BY n.at DESC, n.number DESC LIMIT 1
                ) alert ON true
                WHERE g.group_id = m.group_id AND (
                    g.ended_at IS NULL AND EXISTS (SELECT FROM muster.gathering_member a
                        WHERE a.gathering_id = g.id AND a.user_id = $2 AND a.standing = 'absent')
                    OR alert.together IS NOT NULL)
                ORDER BY g.since DESC LIMIT 1
            ) x ON true
            WHERE m.group_id = $1 AND m.user_id = $2
            """,
            [.id(group), .id(user), .timestamptz(now), .float8(Double(ClockOffset.limit))]
        )
        guard let row = result.first else { throw PostgresTransaction.notMember }
        guard let gathering = try row.optionalInt64("gathering_id") else { return nil }
        return WaitAudience(
            gathering: GatheringID(gathering),
            together: try row.int64Array("together").compactMap { $0.map(UserID.init) },
            distance: try row.optionalFloat8("distance")
        )
    }
}

extension Directory {
    /// Finds an earlier `wait` message of a user by its key.
    ///
    /// - Throws: `unavailable`.
    func earlierWait(in room: RoomID, by user: UserID, key: String) async throws -> ChatMessage? {
        let result = try await self.query(
            ChatMessage.selection(
                from: """
                    (SELECT * FROM muster.message
                    WHERE room_id = $1 AND author_id = $2 AND key = $3 AND kind <> 'system')
                    """
            ),
            [.id(room), .id(user), .text(key)]
        )
        return try result.first.map { row in try ChatMessage(row) }
    }
}
