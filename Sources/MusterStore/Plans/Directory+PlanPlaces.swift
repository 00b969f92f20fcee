import Foundation
package import MusterCore
import Postgres

extension Directory {
    /// The most places of a category that are looked at, the nearest.
    private static let mostPlaces: Int64 = 2_000
    /// Metres to a city whose time zone counts.
    private static let zoneReach = 300_000.0
    /// Metres to a spot whose votes count for a place.
    private static let spotReach = 40.0

    /// The places of a category round a point, the nearest first.
    ///
    /// - Parameters:
    ///   - category: what one goes there for.
    ///   - point: where to look.
    ///   - radius: how far away they may be, in metres.
    /// - Returns: at most 2,000 places.
    /// - Throws: `unavailable`.
    package func places(
        of category: PlaceCategory,
        around point: Coordinate,
        within radius: Double
    ) async throws(DirectoryError) -> [PlanPlace] {
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
        return try decoding { () throws(PostgresError) in
            try result.map { (row) throws(PostgresError) in
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
    }

    /// What is known of the surroundings of a point: its time zone, and whether places of categories were imported there.
    ///
    /// - Throws: `unavailable`.
    package func planArea(at point: Coordinate) async throws(DirectoryError) -> PlanArea {
        let place: [PostgresValue] = [.float8(point.latitude), .float8(point.longitude)]
        let results = try await self.pipeline([
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
            // West is greater than east across the date line.
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
        return try decoding { () throws(PostgresError) in
            var attribution: [String: String] = [:]
            for row in results[1] { attribution[try row.text("source")] = try row.text("attribution") }
            return PlanArea(timeZone: try results[0].first?.text("timezone"), attribution: attribution)
        }
    }

    /// What people think of the spots within 40 m of points, by the points' numbers; of those without any there is nothing.
    ///
    /// - Throws: `unavailable`.
    package func votes(near points: [Coordinate]) async throws(DirectoryError) -> [Int: NearbyVotes] {
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
        return try decoding { () throws(PostgresError) in
            var votes: [Int: NearbyVotes] = [:]
            for row in result {
                votes[Int(try row.int64("n")) - 1] = NearbyVotes(
                    likes: Int(try row.int64("likes")),
                    dislikes: Int(try row.int64("dislikes"))
                )
            }
            return votes
        }
    }

    /// Where a person was last, when that is not longer ago; whatever they share, for it is for themselves.
    ///
    /// - Throws: `unavailable`.
    package func ownPosition(
        of user: UserID,
        notOlderThan age: Int64
    ) async throws(DirectoryError) -> Coordinate? {
        let result = try await self.query(
            "SELECT lat, lon FROM muster.position WHERE user_id = $1 AND at > $2",
            [.id(user), .timestamptz(self.now - age)]
        )
        return try decoding { () throws(PostgresError) in
            try result.first.map { (row) throws(PostgresError) in
                Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon"))
            }
        }
    }
}
