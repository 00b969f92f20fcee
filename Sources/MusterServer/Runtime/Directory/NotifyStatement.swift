import MusterCore
import MusterWire
import Postgres

/// The statement that stores notifications and returns their numbers, including those that were stored before.
///
/// It locks accounts until the commit, so it comes last in its transaction, and the commit must follow in the same
/// round trip.
enum NotifyStatement {
    /// Creates the statement.
    static func make(_ records: [NotificationRecord]) -> PostgresStatement {
        let contents = records.map(\.content)
        return PostgresStatement(
            "SELECT place, given FROM muster.notify($1, $2, $3, $4, $5, $6, $7)",
            [
                .ids(records.map(\.user)), .textArray(contents.map(\.kind)),
                .int64Array(contents.map { $0.group?.rawValue }), .int64Array(contents.map { $0.from?.rawValue }),
                .textArray(contents.map(\.subject)),
                .timestamptzArray(unixMilliseconds: contents.map { $0.at.milliseconds }),
                .jsonbArray(contents.map { String(decoding: $0.payload.json, as: UTF8.self) }),
            ]
        )
    }

    /// Reads the numbers by the index of the record.
    ///
    /// Deleted users and former members of the group have no number.
    static func numbers(in result: PostgresResult) throws(PostgresError) -> [(place: Int, number: Int64)] {
        try result.map { (row) throws(PostgresError) in
            (Int(try row.int32("place")) - 1, try row.int64("given"))
        }
    }

    /// Finds the numbers of notifications that may already be stored, by their subjects.
    static func lookUp(_ records: [NotificationRecord]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT x.place::int AS place, n.number AS given
            FROM unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS x(user_id, kind, subject, place)
                JOIN muster.notification n ON n.user_id = x.user_id AND n.kind = x.kind AND n.subject = x.subject
            ORDER BY x.place
            """,
            [
                .ids(records.map(\.user)), .textArray(records.map(\.content.kind)),
                .textArray(records.map(\.content.subject)),
            ]
        )
    }
}
