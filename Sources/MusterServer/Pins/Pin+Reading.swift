import MusterCore
import Postgres

extension Pin {
    /// A query for pins of a relation `p` with the columns of `muster.pin`.
    static func selection(from relation: String) -> String {
        """
        SELECT p.id, p.text, p.label, p.lat, p.lon, p.link, p.posted_at, p.revision, a.id AS user_id, a.name, a.avatar
        FROM \(relation) p JOIN muster.account a ON a.id = p.user_id
        """
    }

    /// Reads a row of `selection`.
    init(_ row: PostgresRow) throws {
        self.init(
            id: try row.id("id"),
            person: try row.profile(),
            text: try row.text("text"),
            placeName: try row.optionalText("label"),
            coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
            link: try row.optionalText("link"),
            at: try row.timestamp("posted_at"),
            revision: try row.int64("revision")
        )
    }
}
