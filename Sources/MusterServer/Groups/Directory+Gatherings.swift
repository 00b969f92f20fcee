import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The maximum number of gatherings in a page.
    static let gatheringsPerPage = 50

    /// A group's gatherings, newest first, for a member: only those that had not ended when the member joined.
    ///
    /// - Parameters:
    ///   - group: the group.
    ///   - user: the member.
    ///   - last: the last gathering of the previous page; nil for the first page.
    ///   - limit: the page size, 1 to `gatheringsPerPage`.
    /// - Returns: at most `limit` gatherings.
    /// - Throws: `notMember`, `badRequest`, `unavailable`.
    func gatherings(
        of group: GroupID,
        for user: UserID,
        after last: GatheringID? = nil,
        limit: Int = 20
    ) async throws -> [PastGathering] {
        try require((1...Self.gatheringsPerPage).contains(limit), "limit", "must be 1 to \(Self.gatheringsPerPage)")
        let membership = try await self.query(
            "SELECT joined_at FROM muster.membership WHERE group_id = $1 AND user_id = $2",
            [.id(group), .id(user)]
        )
        guard let row = membership.first else {
            throw FrameError(.notMember, message: "You are not a member of this group.")
        }
        let joinedAt = try row.timestamp("joined_at")
        let result = try await self.query(
            """
            SELECT x.id, x.state::text AS state, x.since, x.ended_at, x.lat, x.lon, x.place_name,
                coalesce(p.ids, '{}') AS ids, coalesce(p.names, '{}') AS names
            FROM muster.gathering x
                LEFT JOIN LATERAL (
                    SELECT array_agg(a.id ORDER BY a.name, a.id) AS ids, array_agg(a.name ORDER BY a.name, a.id) AS names
                    FROM muster.gathering_member m JOIN muster.account a ON a.id = m.user_id
                    WHERE m.gathering_id = x.id AND m.took_part
                ) p ON true
            WHERE x.group_id = $1 AND x.id < $2 AND coalesce(x.ended_at, 'infinity') > $3
            ORDER BY x.id DESC LIMIT $4
            """,
            [.id(group), .int64(last?.rawValue ?? .max), .timestamptz(joinedAt), .int64(Int64(limit))]
        )
        return try result.map { row in
            PastGathering(
                id: try row.id("id"),
                state: try row.choice("state"),
                since: try row.timestamp("since"),
                endedAt: try row.optionalTimestamp("ended_at"),
                place: GatheringPlace(
                    lat: try row.float8("lat"),
                    lon: try row.float8("lon"),
                    name: try row.optionalText("place_name")
                ),
                participants: zip(try row.int64Array("ids"), try row.textArray("names")).compactMap { id, name in
                    guard let id, let name else { return nil }
                    return LeftWithoutYou.Companion(id: UserID(id), name: name)
                }
            )
        }
    }
}
