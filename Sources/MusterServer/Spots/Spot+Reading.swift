import MusterCore
import Postgres

extension Spot {
    /// A query for spots from the point of view of user `$1`, of a relation `s` with the columns of `muster.spot`.
    ///
    /// Votes are counted at read time. So votes never wait for each other, and the votes of a deleted account disappear
    /// with it.
    static func selection(from relation: String, columns: String = "") -> String {
        """
        SELECT s.id, s.lat, s.lon, s.comment, s.category, s.created_at, s.revision, a.id AS user_id, a.name, a.avatar,
            v.likes, v.dislikes, v.own, \(Photo.columns)\(columns)
        FROM \(relation) s
            JOIN muster.account a ON a.id = s.author_id
            LEFT JOIN muster.photo_use u ON u.spot_id = s.id
            LEFT JOIN muster.photo p ON p.id = u.photo_id
            CROSS JOIN LATERAL (
                SELECT count(*) FILTER (WHERE x.vote = 'like') AS likes,
                    count(*) FILTER (WHERE x.vote = 'dislike') AS dislikes,
                    coalesce(max(x.vote::text) FILTER (WHERE x.user_id = $1), 'none') AS own
                FROM muster.spot_vote x WHERE x.spot_id = s.id
            ) v
        """
    }

    /// Reads a row of `selection`.
    init(_ row: PostgresRow) throws {
        self.init(
            id: try row.id("id"),
            coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
            comment: try row.text("comment"),
            category: try row.optionalText("category"),
            photo: try Photo(row),
            author: try row.profile(),
            likes: Int(try row.int64("likes")),
            dislikes: Int(try row.int64("dislikes")),
            vote: try row.choice("own"),
            at: try row.timestamp("created_at"),
            revision: try row.int64("revision")
        )
    }
}
