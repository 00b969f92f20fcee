package import MusterCore
import Postgres

extension Directory {
    /// Spots as map features, in ascending order of id, a page at a time.
    ///
    /// - Parameters:
    ///   - last: the last spot of the previous page; nil for the first page.
    ///   - limit: the maximum number of spots.
    /// - Returns: fewer than `limit` spots on the last page.
    /// - Throws: `unavailable`.
    package func spotPoints(after last: SpotID? = nil, limit: Int) async throws(DirectoryError) -> [TilePoint] {
        let result = try await self.query(
            """
            SELECT s.id, s.lat, s.lon, s.comment, s.category,
                CASE WHEN p.id IS NOT NULL THEN muster.photo_address(p.id, p.key, true) END AS thumb
            FROM (SELECT * FROM muster.spot WHERE id > $1 ORDER BY id LIMIT $2) s
                LEFT JOIN muster.photo_use u ON u.spot_id = s.id
                LEFT JOIN muster.photo p ON p.id = u.photo_id
            ORDER BY s.id
            """,
            [.int64(last?.rawValue ?? .min), .int64(Int64(limit))]
        )
        return try decoding { () throws(PostgresError) in
            try result.map { (row) throws(PostgresError) in
                let id: SpotID = try row.id("id")
                return TilePoint(
                    spot: id,
                    at: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
                    comment: try row.text("comment"),
                    category: try row.optionalText("category"),
                    thumb: try row.optionalText("thumb")
                )
            }
        }
    }
}
