package import MusterCore
package import Postgres

extension Directory {
    /// The spots that a session missed: others' spots that are newer than what it holds, and those of a while before, because
    /// ids are made before commits.
    ///
    /// - Returns: the newest, `SpotReading.limit` at most, the newest first.
    /// - Throws: `unavailable`.
    package func spots(missedBy reading: SpotReading) async throws(DirectoryError) -> [Spot] {
        let statement = Self.missed(by: reading)
        let result = try await self.query(statement.sql, statement.parameters)
        return try decoding { () throws(PostgresError) in
            try result.map { (row) throws(PostgresError) in try Spot(row) }
        }
    }

    /// Asks for the spots that a session missed.
    package static func missed(by reading: SpotReading) -> PostgresStatement {
        var conditions = "p.id > $2 AND p.id <> $3 AND p.author_id <> $1"
        var parameters: [PostgresValue] = [
            .id(reading.user), .id(reading.after.before(milliseconds: SpotReading.overlap)), .id(reading.after),
            .int64(Int64(SpotReading.limit)),
        ]
        if let circle = reading.circle {
            let center = "ST_SetSRID(ST_MakePoint($6, $5), 4326)::geography"
            conditions += " AND p.place && _ST_Expand(\(center), $7) AND ST_Distance(p.place, \(center), false) <= $7"
            parameters += [
                .float8(circle.center.latitude), .float8(circle.center.longitude), .float8(circle.radius),
            ]
        }
        let missed = "(SELECT * FROM muster.spot p WHERE \(conditions) ORDER BY p.id DESC LIMIT $4)"
        return PostgresStatement(Spot.selection(from: missed) + " ORDER BY s.id DESC", parameters)
    }

    /// Counts the votes on spots as they stand now.
    ///
    /// - Returns: a count a spot; none for those that are gone.
    /// - Throws: `unavailable`.
    package func votes(on spots: [SpotID]) async throws(DirectoryError) -> [SpotVotes] {
        try await self.texts(of: spots).map { SpotVotes(spot: $0.spot, likes: $0.likes, dislikes: $0.dislikes) }
    }

    /// What spots say, and the votes on them as they stand now.
    ///
    /// - Returns: a text a spot; none for those that are gone.
    /// - Throws: `unavailable`.
    package func texts(of spots: [SpotID]) async throws(DirectoryError) -> [SpotText] {
        let result = try await self.query(
            """
            SELECT s.id, s.comment, count(*) FILTER (WHERE v.vote = 'like') AS likes,
                count(*) FILTER (WHERE v.vote = 'dislike') AS dislikes
            FROM muster.spot s LEFT JOIN muster.spot_vote v ON v.spot_id = s.id
            WHERE s.id = ANY($1) GROUP BY s.id ORDER BY s.id
            """,
            [.ids(spots)]
        )
        return try decoding { () throws(PostgresError) in
            try result.map { (row) throws(PostgresError) in
                SpotText(
                    spot: try row.id("id"),
                    comment: try row.text("comment"),
                    likes: Int(try row.int64("likes")),
                    dislikes: Int(try row.int64("dislikes"))
                )
            }
        }
    }
}
