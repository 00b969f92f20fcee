import MusterCore
import Postgres

extension Photo {
    /// The columns of a photo from a relation `p` with the columns of `muster.photo`.
    static let columns = """
        p.id AS photo_id, muster.photo_address(p.id, p.key, false) AS photo_url,
        muster.photo_address(p.id, p.key, true) AS photo_thumb, p.width AS photo_width, p.height AS photo_height
        """

    /// Reads a row with `columns`; nil when an outer join found no photo.
    init?(_ row: PostgresRow) throws {
        guard try !row.isNull("photo_id") else { return nil }
        self.init(
            id: try row.id("photo_id"),
            url: try row.text("photo_url"),
            thumb: try row.text("photo_thumb"),
            width: Int(try row.int32("photo_width")),
            height: Int(try row.int32("photo_height"))
        )
    }
}
