import Foundation
import MusterCore
import Postgres

extension Directory {
    /// The maximum number of places of a category in a query, the nearest first.
    private static let mostPlaces: Int64 = 2_000
    /// The maximum distance to a city whose time zone is used, in metres.
    private static let zoneReach = 300_000.0
    /// The maximum distance between a place and a spot whose votes count for it, in metres.
    private static let spotReach = 40.0

    /// The places of a category around a point, the nearest first.
    ///
    /// - Parameters:
    ///   - category: the category.
    ///   - point: the centre.
    ///   - radius: the maximum distance in metres.
    /// - Returns: at most 2,000 places.
    /// - Throws: `unavailable`.
    func places(
        of category: PlaceCategory,
        around point: Coordinate,
        within radius: Double
    ) async throws -> [PlanPlace] {
        let result = try await self.query(
            """
            SELECT p.id, p.name, p.lat, p.lon, p.extent, p.tags, p.source, c.name AS city FROM (
                SELECT q.*, ST_Distance(o.point, ST_SetSRID(ST_MakePoint(q.lon, q.lat), 4326)::geography, false) AS distance
                FROM (SELECT ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography AS point) o
                    JOIN muster.place q ON q.place && _ST_Expand(o.point, $4) AND q.category = $1
            ) p LEFT JOIN LATERAL (
                SELECT name FROM muster.place WHERE id = p.parent AND type = 'city' LIMIT 1
            ) c ON true
            WHERE p.distance <= $4 ORDER BY p.distance, p.id LIMIT $5
            """,
            [
                .text(category.rawValue), .float8(point.latitude), .float8(point.longitude), .float8(radius),
                .int64(Self.mostPlaces),
            ]
        )
        return try result.map { row in
            let tags = try row.optionalText("tags")
            return PlanPlace(
                id: try row.text("id"),
                name: try row.text("name"),
                coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
                extent: try Place.Extent(row),
                tags: tags.flatMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) } ?? [:],
                city: try row.optionalText("city"),
                source: try row.text("source")
            )
        }
    }

    /// The time zone of a point, and the gazetteers with categories that cover it.
    ///
    /// - Throws: `unavailable`.
    func planArea(at point: Coordinate) async throws -> PlanArea {
        let place: [PostgresValue] = [.float8(point.latitude), .float8(point.longitude)]
        let results = try await self.pool.pipeline([
            PostgresStatement(
                """
                SELECT z.timezone FROM (SELECT ST_SetSRID(ST_MakePoint($2, $1), 4326)::geography AS point) o
                CROSS JOIN LATERAL (
                    SELECT timezone FROM muster.place q
                    WHERE q.timezone IS NOT NULL AND q.place && _ST_Expand(o.point, $3)
                    ORDER BY q.place <-> o.point LIMIT 1
                ) z
                """,
                place + [.float8(Self.zoneReach)]
            ),
            // Across the date line, west is greater than east.
            PostgresStatement(
                """
                SELECT g.source, g.attribution FROM muster.gazetteer g
                WHERE $1 BETWEEN g.extent[2] AND g.extent[4]
                    AND CASE WHEN g.extent[1] <= g.extent[3] THEN $2 BETWEEN g.extent[1] AND g.extent[3]
                        ELSE $2 >= g.extent[1] OR $2 <= g.extent[3] END
                    AND EXISTS (SELECT FROM muster.place p WHERE p.source = g.source AND p.category IS NOT NULL)
                """,
                place
            ),
        ])
        var attribution: [String: String] = [:]
        for row in results[1] { attribution[try row.text("source")] = try row.text("attribution") }
        return PlanArea(timeZone: try results[0].first?.text("timezone"), attribution: attribution)
    }

    /// The votes on spots within 40 m of each point, by the index of the point; points without votes are missing.
    ///
    /// - Throws: `unavailable`.
    func votes(near points: [Coordinate]) async throws -> [Int: NearbyVotes] {
        let result = try await self.query(
            """
            SELECT x.n, count(*) FILTER (WHERE v.vote = 'like') AS likes, count(*) FILTER (WHERE v.vote = 'dislike') AS dislikes
            FROM unnest($1::float8[], $2::float8[]) WITH ORDINALITY AS x(lat, lon, n)
                JOIN muster.spot s ON ST_DWithin(s.place, ST_SetSRID(ST_MakePoint(x.lon, x.lat), 4326)::geography, $3, false)
                JOIN muster.spot_vote v ON v.spot_id = s.id
            GROUP BY x.n
            """,
            [
                .float8Array(points.map(\.latitude)), .float8Array(points.map(\.longitude)),
                .float8(Self.spotReach),
            ]
        )
        var votes: [Int: NearbyVotes] = [:]
        for row in result {
            votes[Int(try row.int64("n")) - 1] = NearbyVotes(
                likes: Int(try row.int64("likes")),
                dislikes: Int(try row.int64("dislikes"))
            )
        }
        return votes
    }

    /// The last position of a user, if it is recent enough, for the user's own view and therefore regardless of
    /// sharing.
    ///
    /// - Throws: `unavailable`.
    func ownPosition(
        of user: UserID,
        notOlderThan age: Int64
    ) async throws -> Coordinate? {
        let result = try await self.query(
            "SELECT lat, lon FROM muster.position WHERE user_id = $1 AND at > $2",
            [.id(user), .timestamptz(self.now - age)]
        )
        return try result.first.map { row in
            Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon"))
        }
    }
}
