import MusterCore
import Postgres

extension Directory {
    /// Spots as the live state copies them, in ascending order of id, a page at a time.
    ///
    /// - Parameters:
    ///   - last: the last spot of the previous page; nil for the first page.
    ///   - limit: the maximum number of spots.
    /// - Returns: fewer than `limit` spots on the last page.
    /// - Throws: `unavailable`.
    func storedSpots(
        after last: SpotID? = nil,
        limit: Int = 1_024
    ) async throws -> [StoredSpot] {
        try await self.storedSpots(
            from: "(SELECT * FROM muster.spot WHERE id > $1 ORDER BY id LIMIT $2)",
            [.int64(last?.rawValue ?? .min), .int64(Int64(limit))]
        )
    }

    /// The current state of spots; deleted ones are left out.
    ///
    /// - Throws: `unavailable`.
    func storedSpots(_ ids: [Int64]) async throws -> [StoredSpot] {
        try await self.storedSpots(
            from: "(SELECT * FROM muster.spot WHERE id = ANY ($1))",
            [.int64Array(ids.map { $0 })]
        )
    }

    private func storedSpots(
        from relation: String,
        _ parameters: [PostgresValue]
    ) async throws -> [StoredSpot] {
        let result = try await self.query(
            """
            SELECT s.id, s.lat, s.lon, s.comment, s.category, s.revision,
                CASE WHEN p.id IS NOT NULL THEN muster.photo_address(p.id, p.key, true) END AS thumb
            FROM \(relation) s
                LEFT JOIN muster.photo_use u ON u.spot_id = s.id
                LEFT JOIN muster.photo p ON p.id = u.photo_id
            ORDER BY s.id
            """,
            parameters
        )
        return try result.map { row in
            let id: SpotID = try row.id("id")
            let place = Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon"))
            let comment = try row.text("comment")
            let point = TilePoint(
                spot: id,
                at: place,
                comment: comment,
                category: try row.optionalText("category"),
                thumb: try row.optionalText("thumb")
            )
            return StoredSpot(
                point: point,
                place: NamedPlace(spot: id, coordinate: place, name: PlaceName.of(comment: comment)),
                revision: try row.int64("revision")
            )
        }
    }
}
