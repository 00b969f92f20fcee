package import MusterCore
import MusterWire
import Postgres

/// A report by a user, as the operator sees it.
package struct FiledReport: Sendable, Equatable {
    /// A user who is involved in a report.
    package struct Person: Sendable, Equatable {
        package var id: UserID
        package var username: String
        package var name: String
    }

    package var id: ReportID
    package var what: Report.Subject
    /// The id of the reported content; for a message its number in the room.
    package var subject: Int64
    /// The room of a message; nil otherwise.
    package var room: RoomID?
    package var by: Person
    /// The author of the content; nil when unknown.
    package var about: Person?
    package var reason: String
    /// The reported text at the time of the report; nil when there is none.
    package var text: String?
    /// The path of the content's photo on the server, with its secret; nil when there is none.
    package var photo: String?
    package var at: Timestamp
    /// When an operator closed the report; nil while it is open.
    package var closedAt: Timestamp?

    /// A query for reports: all, or the open ones.
    static func selection(all: Bool) -> String {
        """
        SELECT p.id, p.what, p.subject_id, p.room_id, p.reason, p.text, p.at, p.closed_at,
            b.id AS by_id, b.username AS by_username, b.name AS by_name,
            a.id AS about_id, a.username AS about_username, a.name AS about_name,
            CASE WHEN f.id IS NOT NULL THEN muster.photo_address(f.id, f.key, false) END AS photo
        FROM muster.report p
            JOIN muster.account b ON b.id = p.user_id
            LEFT JOIN muster.account a ON a.id = p.about_id
            LEFT JOIN muster.photo_use u ON CASE p.what WHEN 'spot' THEN u.spot_id = p.subject_id
                WHEN 'event' THEN u.event_id = p.subject_id WHEN 'user' THEN u.face_of = p.subject_id
                WHEN 'message' THEN u.room_id = p.room_id AND u.message_seq = p.subject_id ELSE false END
            LEFT JOIN muster.photo f ON f.id = CASE p.what WHEN 'photo' THEN p.subject_id ELSE u.photo_id END
        \(all ? "" : "WHERE p.closed_at IS NULL") ORDER BY p.at, p.id
        """
    }

    init(_ row: PostgresRow) throws {
        self.id = try row.id("id")
        self.what = try row.choice("what")
        self.subject = try row.int64("subject_id")
        self.room = try row.optionalInt64("room_id").map(RoomID.init)
        self.by = Person(
            id: try row.id("by_id"),
            username: try row.text("by_username"),
            name: try row.text("by_name")
        )
        if try !row.isNull("about_id") {
            self.about = Person(
                id: try row.id("about_id"),
                username: try row.text("about_username"),
                name: try row.text("about_name")
            )
        }
        self.reason = try row.text("reason")
        self.text = try row.optionalText("text")
        self.photo = try row.optionalText("photo")
        self.at = try row.timestamp("at")
        self.closedAt = try row.optionalTimestamp("closed_at")
    }
}
