import MusterCore
import Postgres

/// The statements that write changes of rooms.
enum ChatStatements {
    private struct Entry {
        let room: RoomID
        let message: ChatMessage
    }

    /// Writes changes; `added` contains the new messages among them.
    static func writing(
        _ advances: [RoomAdvance],
        added: Set<RoomLog.Place>,
        rooms: [RoomID: RoomLog.Room]
    ) -> [PostgresStatement] {
        let entries = advances.flatMap { advance in
            advance.messages.map { Entry(room: advance.room, message: $0) }
        }
        let new = entries.filter { added.contains(RoomLog.Place($0.room, $0.message.seq)) }
        let changed = entries.filter { !added.contains(RoomLog.Place($0.room, $0.message.seq)) }
        var statements: [PostgresStatement] = []
        if !new.isEmpty { statements.append(self.inserting(new)) }
        if !changed.isEmpty { statements.append(self.updating(changed)) }
        let shown = new.filter { $0.message.photo != nil }
        if !shown.isEmpty { statements.append(self.usingPhotos(shown)) }
        let deleted = changed.filter(\.message.isDeleted)
        if !deleted.isEmpty { statements.append(self.droppingPhotos(deleted)) }
        if !advances.isEmpty { statements.append(self.numbering(advances, rooms)) }
        return statements
    }

    private static func inserting(_ entries: [Entry]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO muster.message (room_id, seq, version, key, kind, author_id, at, text, reply_to, mentions, data,
                edited_at, deleted)
            SELECT x.room_id, x.seq, x.version, x.key, x.kind::muster.message_kind, x.author_id, x.at, x.text, x.reply_to,
                x.mentions::bigint[], x.data, x.edited_at, x.deleted
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[],
                $8::text[], $9::bigint[], $10::text[], $11::jsonb[], $12::timestamptz[], $13::boolean[])
                AS x(room_id, seq, version, key, kind, author_id, at, text, reply_to, mentions, data, edited_at, deleted)
            """,
            [
                .ids(entries.map(\.room)), .int64Array(entries.map(\.message.seq)),
                .int64Array(entries.map(\.message.version)), .textArray(entries.map(\.message.key)),
                .textArray(entries.map(\.message.kind.rawValue)),
                .int64Array(entries.map { $0.message.from?.id.rawValue }),
                .timestamptzArray(unixMilliseconds: entries.map(\.message.at.milliseconds)),
                .textArray(entries.map(\.message.text)), .int64Array(entries.map(\.message.replyTo)),
                .textArray(entries.map { self.array($0.message.mentions) }),
                .jsonbArray(entries.map { $0.message.data?.column }),
                .timestamptzArray(unixMilliseconds: entries.map { $0.message.editedAt?.milliseconds }),
                .boolArray(entries.map(\.message.isDeleted)),
            ]
        )
    }

    private static func updating(_ entries: [Entry]) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE muster.message m SET version = x.version, text = x.text, edited_at = x.edited_at, deleted = x.deleted,
                reply_to = CASE WHEN x.deleted THEN NULL ELSE m.reply_to END,
                mentions = CASE WHEN x.deleted THEN '{}' ELSE m.mentions END,
                data = CASE WHEN x.deleted THEN NULL ELSE m.data END
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::boolean[])
                AS x(room_id, seq, version, text, edited_at, deleted)
            WHERE m.room_id = x.room_id AND m.seq = x.seq
            """,
            [
                .ids(entries.map(\.room)), .int64Array(entries.map(\.message.seq)),
                .int64Array(entries.map(\.message.version)), .textArray(entries.map(\.message.text)),
                .timestamptzArray(unixMilliseconds: entries.map { $0.message.editedAt?.milliseconds }),
                .boolArray(entries.map(\.message.isDeleted)),
            ]
        )
    }

    private static func usingPhotos(_ entries: [Entry]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO muster.photo_use (photo_id, room_id, message_seq)
            SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
            """,
            [
                .int64Array(entries.map { $0.message.photo?.id.rawValue }), .ids(entries.map(\.room)),
                .int64Array(entries.map(\.message.seq)),
            ]
        )
    }

    private static func droppingPhotos(_ entries: [Entry]) -> PostgresStatement {
        PostgresStatement(
            """
            DELETE FROM muster.photo_use u USING unnest($1::bigint[], $2::bigint[]) AS x(room_id, seq)
            WHERE u.room_id = x.room_id AND u.message_seq = x.seq
            """,
            [.ids(entries.map(\.room)), .int64Array(entries.map(\.message.seq))]
        )
    }

    private static func numbering(_ advances: [RoomAdvance], _ rooms: [RoomID: RoomLog.Room]) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE muster.room r SET last_seq = x.last_seq, version = x.version
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS x(id, last_seq, version) WHERE r.id = x.id
            """,
            [
                .ids(advances.map(\.room)), .int64Array(advances.map { rooms[$0.room]?.lastSeq }),
                .int64Array(advances.map(\.upTo)),
            ]
        )
    }

    /// An array in PostgreSQL's text format, for a column of arrays that is filled from an array of texts.
    private static func array(_ users: [UserID]) -> String {
        "{" + users.map(\.description).joined(separator: ",") + "}"
    }
}
