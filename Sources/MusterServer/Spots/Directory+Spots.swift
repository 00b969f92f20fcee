package import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The maximum number of spots of a user.
    static let spotsPerPerson = 1000

    /// Adds a spot.
    ///
    /// - Throws: `badRequest`; `notFound` when there is no such account, or no such unused photo of the user;
    ///   `conflict` when the user has too many spots; `unavailable`.
    package func addSpot(_ draft: SpotAdd, by user: UserID) async throws -> Committed<Spot> {
        let comment = try Validation.text(draft.comment, Spot.commentRule, field: "comment")
        let category = try draft.category.map { category in
            try Validation.text(category, Spot.categoryRule, field: "category")
        }
        try Validation.point(draft.place)
        let now = self.now
        let spot: SpotID = self.nextID(at: now)
        return try await self.transaction { transaction in
            let results = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR SHARE", [.id(user)]),
                PostgresStatement(
                    """
                    INSERT INTO muster.spot (id, author_id, lat, lon, comment, category, created_at)
                    SELECT $1, id, $3, $4, $5, $6, $7 FROM muster.account WHERE id = $2
                    """,
                    [
                        .id(spot), .id(user), .float8(draft.place.latitude), .float8(draft.place.longitude),
                        .text(comment), .optional(category), .timestamptz(now),
                    ]
                ),
                PostgresStatement("SELECT count(*) AS spots FROM muster.spot WHERE author_id = $1", [.id(user)]),
                PhotoUse.spot.begin(draft.photo, by: spot, of: user),
                Self.selectSpot(spot, for: user),
            ])
            guard results[0].rowCount == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
            guard draft.photo == nil || results[3].affectedRows == 1 else { throw Self.unknownPhoto }
            let count = try results[2].first?.int64("spots") ?? 0
            guard count <= Self.spotsPerPerson else {
                throw FrameError(.conflict, message: "A user can keep at most \(Self.spotsPerPerson) spots.")
            }
            let added = try Self.spot(in: results[4])
            return Committed(added, [.row(.spot(StoredSpot(added)))])
        }
    }

    /// Stores a user's vote on a spot, in place of an earlier vote.
    ///
    /// - Throws: `notFound`, `unavailable`.
    /// - Returns: the spot with the vote.
    func vote(_ vote: Spot.Vote, on spot: SpotID, by user: UserID) async throws -> Spot {
        let change =
            switch vote {
            case .like, .dislike:
                PostgresStatement(
                    """
                    INSERT INTO muster.spot_vote (spot_id, user_id, vote)
                    SELECT s.id, a.id, $3::text::muster.vote FROM muster.spot s, muster.account a
                    WHERE s.id = $1 AND a.id = $2
                    ON CONFLICT (spot_id, user_id) DO UPDATE SET vote = excluded.vote
                    """,
                    [.id(spot), .id(user), .text(vote.rawValue)]
                )
            case .none:
                PostgresStatement(
                    "DELETE FROM muster.spot_vote WHERE spot_id = $1 AND user_id = $2",
                    [.id(spot), .id(user)]
                )
            }
        return try await self.transaction { transaction in
            // In lock order, because a vote references both rows.
            let results = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR SHARE", [.id(user)]),
                PostgresStatement("SELECT id FROM muster.spot WHERE id = $1 FOR SHARE", [.id(spot)]),
                change,
                Self.selectSpot(spot, for: user),
            ])
            return try Self.spot(in: results[3])
        }
    }

    /// Deletes a spot, for its author.
    ///
    /// - Throws: `notFound`, `forbidden`, `unavailable`.
    func deleteSpot(_ spot: SpotID, by user: UserID) async throws -> Committed<SpotID> {
        let deleted = try await self.change(
            "DELETE FROM muster.spot WHERE id = $1 AND author_id = $2",
            [.id(spot), .id(user)]
        )
        guard deleted.affectedRows == 0 else { return Committed(spot, [.deleted(.spot, id: spot.rawValue)]) }
        let found = try await self.query("SELECT id FROM muster.spot WHERE id = $1", [.id(spot)])
        guard found.rowCount == 1 else { throw Self.unknownSpot }
        throw FrameError(.forbidden, message: "Only the author of the spot may do this.")
    }

    /// The spots nearest to a point, in order of distance, then of age with the oldest first.
    ///
    /// - Throws: `badRequest`, `unavailable`.
    func spots(near search: SpotsNearby, for user: UserID) async throws -> [NearbySpot] {
        try Validation.point(search.center)
        try require(SpotsNearby.radiusRange.contains(search.radius), "radius", "must be 0 to 50000")
        try Self.requireLimit(search.limit)
        let statement = Self.nearest(search, for: user)
        let result = try await self.query(statement.sql, statement.parameters)
        return try result.map { row in
            NearbySpot(spot: try Spot(row), distance: try row.float8("distance"))
        }
    }

    /// A query for the spots nearest to a point.
    static func nearest(_ search: SpotsNearby, for user: UserID) -> PostgresStatement {
        // The inner query walks the spatial index outwards from the point, within the bounding box of the circle, and
        // stops at the limit. The outer query removes spots that are outside the circle. With ST_DWithin, whose
        // selectivity PostgreSQL estimates as very low, the plan would find and sort all spots. Distances are
        // spherical, like the order of the index and everywhere in the server. For a single category a separate index
        // is used, which contains the category.
        let nearest = """
            (
                SELECT n.*, ST_Distance(n.place, c.point, false) AS distance
                FROM (SELECT ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography AS point) c
                    CROSS JOIN LATERAL (
                        SELECT * FROM muster.spot p
                        WHERE p.place && _ST_Expand(c.point, $4)\(search.category == nil ? "" : " AND p.category = $6")
                        ORDER BY p.place <-> c.point LIMIT $5
                    ) n
            )
            """
        return PostgresStatement(
            Spot.selection(from: nearest, columns: ", s.distance")
                + " WHERE s.distance <= $4 ORDER BY s.distance, s.id",
            [
                .id(user), .float8(search.center.latitude), .float8(search.center.longitude), .float8(search.radius),
                .int64(Int64(search.limit)),
            ] + (search.category.map { [.text($0)] } ?? [])
        )
    }

    /// All spots, newest first, a page at a time.
    ///
    /// - Parameters:
    ///   - last: the last spot of the previous page; nil for the first page.
    ///   - limit: the page size, 1 to 100.
    ///   - user: the requesting user.
    /// - Returns: at most `limit` spots.
    /// - Throws: `badRequest`, `unavailable`.
    func spots(
        after last: SpotID? = nil,
        limit: Int,
        for user: UserID
    ) async throws -> SpotPage {
        try Self.requireLimit(limit)
        // One more than requested, to detect a further page.
        let result = try await self.query(
            Spot.selection(from: "(SELECT * FROM muster.spot WHERE id < $2 ORDER BY id DESC LIMIT $3)")
                + " ORDER BY s.id DESC",
            [.id(user), .int64(last?.rawValue ?? .max), .int64(Int64(limit + 1))]
        )
        let spots = try result.map { row in try Spot(row) }
        guard spots.count > limit else { return SpotPage(spots: spots, next: nil) }
        return SpotPage(spots: Array(spots.prefix(limit)), next: spots[limit - 1].id)
    }

    /// The names of places, in ascending order of id, a page at a time.
    ///
    /// - Parameters:
    ///   - last: the last place of the previous page; nil for the first page.
    ///   - limit: the maximum number of places.
    /// - Returns: at most `limit` places; fewer on the last page.
    /// - Throws: `unavailable`.
    func namedPlaces(
        after last: SpotID? = nil,
        limit: Int = 10_000
    ) async throws -> [NamedPlace] {
        let result = try await self.query(
            "SELECT id, lat, lon, comment FROM muster.spot WHERE id > $1 ORDER BY id LIMIT $2",
            [.int64(last?.rawValue ?? .min), .int64(Int64(limit))]
        )
        return try result.map { row in
            NamedPlace(
                spot: try row.id("id"),
                coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
                name: PlaceName.of(comment: try row.text("comment"))
            )
        }
    }

    private static func selectSpot(_ spot: SpotID, for user: UserID) -> PostgresStatement {
        PostgresStatement(Spot.selection(from: "muster.spot") + " WHERE s.id = $2", [.id(user), .id(spot)])
    }

    private static func spot(in result: PostgresResult) throws -> Spot {
        guard let row = result.first else { throw Self.unknownSpot }
        return try Spot(row)
    }

    private static func requireLimit(_ limit: Int) throws {
        try require(SpotsNearby.limitRange.contains(limit), "limit", "must be 1 to 100")
    }

    private static var unknownSpot: FrameError { FrameError(.notFound, message: "There is no such spot.") }
}
