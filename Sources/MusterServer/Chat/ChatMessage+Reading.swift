import MusterCore
import MusterWire
import Postgres

extension ChatMessage {
    /// A query for messages of a relation `m` with the columns of `muster.message`.
    static func selection(from relation: String) -> String {
        """
        SELECT m.room_id, m.seq, m.version, m.key, m.kind::text AS kind, m.at, m.text, m.reply_to, m.mentions, m.edited_at,
            m.deleted, m.data::text AS data, a.id AS user_id, a.name, a.avatar, \(Photo.columns)
        FROM \(relation) m
            LEFT JOIN muster.account a ON a.id = m.author_id
            LEFT JOIN muster.photo_use u ON u.room_id = m.room_id AND u.message_seq = m.seq
            LEFT JOIN muster.photo p ON p.id = u.photo_id
        """
    }

    /// Reads a row of `selection`.
    init(_ row: PostgresRow) throws {
        self.init(
            seq: try row.int64("seq"),
            version: try row.int64("version"),
            key: try row.optionalText("key"),
            kind: try row.choice("kind"),
            from: try row.isNull("user_id") ? nil : row.profile(),
            at: try row.timestamp("at"),
            text: try row.optionalText("text"),
            photo: try Photo(row).map(Picture.init),
            replyTo: try row.optionalInt64("reply_to"),
            mentions: try row.int64Array("mentions").compactMap { $0.map(UserID.init) },
            editedAt: try row.optionalTimestamp("edited_at"),
            isDeleted: try row.bool("deleted"),
            data: try row.payload("data")
        )
    }
}

extension PostgresRow {
    /// A JSON object from a text column, or nil for NULL.
    fileprivate func payload(_ column: String) throws -> NotificationPayload? {
        guard let text = try self.optionalText(column) else { return nil }
        guard let document = try? JSONDocument(Array(text.utf8)) else {
            throw PostgresError(.decoding, message: "column \"\(column)\" holds no JSON")
        }
        return NotificationPayload(document.root)
    }
}

extension NotificationPayload {
    /// The value for a `jsonb` column.
    var column: String { String(decoding: self.json, as: UTF8.self) }
}
