import MusterCore
import Postgres

extension Directory {
    /// The spots of other users that a session has missed.
    ///
    /// The query goes back a short time before the session's newest spot, because ids are assigned before the commit.
    ///
    /// - Returns: the newest ones, `SpotQuery.limit` at most, newest first.
    /// - Throws: `unavailable`.
    func spots(missedBy query: SpotQuery) async throws -> [Spot] {
        let statement = Self.missed(by: query)
        let result = try await self.query(statement.sql, statement.parameters)
        return try result.map { row in try Spot(row) }
    }

    /// A query for the spots that a session has missed.
    static func missed(by query: SpotQuery) -> PostgresStatement {
        var conditions = "p.id > $2 AND p.id <> $3 AND p.author_id <> $1"
        var parameters: [PostgresValue] = [
            .id(query.user), .id(query.after.before(milliseconds: SpotQuery.overlap)), .id(query.after),
            .int64(Int64(SpotQuery.limit)),
        ]
        if let circle = query.circle {
            let center = "ST_SetSRID(ST_MakePoint($6, $5), 4326)::geography"
            conditions += " AND p.place && _ST_Expand(\(center), $7) AND ST_Distance(p.place, \(center), false) <= $7"
            parameters += [
                .float8(circle.center.latitude), .float8(circle.center.longitude), .float8(circle.radius),
            ]
        }
        let missed = "(SELECT * FROM muster.spot p WHERE \(conditions) ORDER BY p.id DESC LIMIT $4)"
        return PostgresStatement(Spot.selection(from: missed) + " ORDER BY s.id DESC", parameters)
    }

    /// The current votes on spots.
    ///
    /// - Returns: a count for each spot; deleted spots are left out.
    /// - Throws: `unavailable`.
    func votes(on spots: [SpotID]) async throws -> [SpotVotes] {
        try await self.texts(of: spots).map { SpotVotes(spot: $0.spot, likes: $0.likes, dislikes: $0.dislikes) }
    }

    /// The comments of spots, with the current votes.
    ///
    /// - Returns: an entry for each spot; deleted spots are left out.
    /// - Throws: `unavailable`.
    func texts(of spots: [SpotID]) async throws -> [SpotText] {
        let result = try await self.query(
            """
            SELECT s.id, s.comment, count(*) FILTER (WHERE v.vote = 'like') AS likes,
                count(*) FILTER (WHERE v.vote = 'dislike') AS dislikes
            FROM muster.spot s LEFT JOIN muster.spot_vote v ON v.spot_id = s.id
            WHERE s.id = ANY($1) GROUP BY s.id ORDER BY s.id
            """,
            [.ids(spots)]
        )
        return try result.map { row in
            SpotText(
                spot: try row.id("id"),
                comment: try row.text("comment"),
                likes: Int(try row.int64("likes")),
                dislikes: Int(try row.int64("dislikes"))
            )
        }
    }
}
