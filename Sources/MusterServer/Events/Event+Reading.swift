import MusterCore
import Postgres

extension Event {
    /// A query for events of a relation `e` with the columns of `muster.event`.
    static func selection(from relation: String) -> String {
        """
        SELECT e.id, e.version, e.revision, e.group_id, e.title, e.lat, e.lon, e.place, e.text, e.category, e.starts_at,
            e.ends_at, e.tz, to_char(e.starts_at AT TIME ZONE e.tz, 'HH24:MI') AS clock, e.capacity, e.hide_place,
            e.cancelled_at IS NOT NULL AS is_cancelled, e.created_at, e.changed_at, a.id AS user_id, a.name, a.avatar,
            g.guests, g.rsvps, g.moments, \(Photo.columns)
        FROM \(relation) e
            JOIN muster.account a ON a.id = e.host_id
            LEFT JOIN muster.photo_use u ON u.event_id = e.id
            LEFT JOIN muster.photo p ON p.id = u.photo_id
            CROSS JOIN LATERAL (
                SELECT array_agg(x.user_id ORDER BY x.asked_at, x.user_id) AS guests,
                    array_agg(x.rsvp::text ORDER BY x.asked_at, x.user_id) AS rsvps,
                    array_agg(x.asked_at ORDER BY x.asked_at, x.user_id) AS moments
                FROM muster.event_guest x WHERE x.event_id = e.id
            ) g
        """
    }

    /// Reads a row of `selection`.
    init(_ row: PostgresRow) throws {
        self.init(
            id: try row.id("id"),
            version: try row.int64("version"),
            revision: try row.int64("revision"),
            host: try row.profile(),
            group: try row.optionalInt64("group_id").map { GroupID($0) },
            title: try row.text("title"),
            coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
            place: try row.optionalText("place"),
            text: try row.optionalText("text"),
            category: try row.optionalText("category"),
            photo: try Photo(row),
            startsAt: try row.timestamp("starts_at"),
            endsAt: try row.timestamp("ends_at"),
            timeZone: try row.text("tz"),
            clock: try row.text("clock"),
            capacity: try row.optionalInt32("capacity").map { Int($0) },
            hidesPlace: try row.bool("hide_place"),
            isCancelled: try row.bool("is_cancelled"),
            createdAt: try row.timestamp("created_at"),
            changedAt: try row.timestamp("changed_at"),
            guests: try Self.guests(row)
        )
    }

    private static func guests(_ row: PostgresRow) throws -> [EventGuest] {
        guard try !row.isNull("guests") else { return [] }
        let users = try row.int64Array("guests")
        let words = try row.textArray("rsvps")
        let moments = try row.unixMillisecondsArray("moments")
        return zip(zip(users, words), moments).compactMap { pair, moment in
            guard let user = pair.0, let rsvp = pair.1.flatMap({ EventGuest.RSVP(rawValue: $0) }), let moment else {
                return nil
            }
            return EventGuest(user: UserID(user), rsvp: rsvp, askedAt: Timestamp(milliseconds: moment))
        }
    }
}
