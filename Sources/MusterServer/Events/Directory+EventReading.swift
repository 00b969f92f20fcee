import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// How long a calendar shows past events, in milliseconds.
    private static let calendarReach: Int64 = 90 * 86_400_000
    /// The maximum number of events in a calendar.
    private static let calendarLimit: Int64 = 1_000
    /// How long an event is kept after its end, in milliseconds.
    static let eventLifetime: Int64 = 365 * 86_400_000

    /// Returns an event, if it is visible to the user.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func event(_ id: EventID, for user: UserID) async throws -> Event {
        let statement = PostgresTransaction.selectEvent(id, for: user)
        return try PostgresTransaction.event(in: try await self.query(statement.sql, statement.parameters))
    }

    /// The events that a user hosts or has answered, the latest start first, a page at a time.
    ///
    /// - Throws: `unavailable`.
    func events(
        of user: UserID,
        after cursor: EventCursor?,
        limit: Int
    ) async throws -> (events: [Event], next: EventCursor?) {
        let events = try await self.events(
            Event.selection(from: Self.ownEvents) + """
                \(cursor == nil ? "" : " WHERE (e.starts_at, e.id) < ($3, $4)")
                ORDER BY e.starts_at DESC, e.id DESC LIMIT $2
                """,
            [.id(user), .int64(Int64(limit + 1))] + (cursor.map { [.timestamptz($0.at), .int64($0.id)] } ?? [])
        )
        guard events.count > limit else { return (events, nil) }
        let last = events[limit - 1]
        return (Array(events.prefix(limit)), EventCursor(at: last.startsAt, id: last.id.rawValue))
    }

    /// The events that user `$1` hosts or has answered.
    private static let ownEvents = """
        (SELECT x.* FROM muster.event x WHERE x.host_id = $1 OR EXISTS (
            SELECT FROM muster.event_guest y
            WHERE y.event_id = x.id AND y.user_id = $1 AND y.rsvp IN ('yes', 'maybe', 'waiting')))
        """

    /// The current state of events; deleted ones are left out.
    ///
    /// - Throws: `unavailable`.
    func events(_ ids: [EventID]) async throws -> [Event] {
        try await self.events(Event.selection(from: "muster.event") + " WHERE e.id = ANY ($1)", [.ids(ids)])
    }

    /// The events that are not over, in ascending order of id, a page at a time.
    ///
    /// - Parameters:
    ///   - last: the last event of the previous page; nil for the first page.
    ///   - limit: the maximum number of events.
    /// - Returns: at most `limit` events; fewer on the last page.
    /// - Throws: `unavailable`.
    func openEvents(after last: EventID?, limit: Int = 1_024) async throws -> [Event] {
        try await self.events(
            Event.selection(
                from: "(SELECT * FROM muster.event WHERE id > $1 AND ends_at > $3 ORDER BY id LIMIT $2)"
            ) + " ORDER BY e.id",
            [.int64(last?.rawValue ?? .min), .int64(Int64(limit)), .timestamptz(self.now)]
        )
    }

    private func events(_ sql: String, _ parameters: [PostgresValue]) async throws -> [Event] {
        let result = try await self.query(sql, parameters)
        return try result.map { row in try Event(row) }
    }

    /// Deletes events that ended more than a year ago.
    func sweepEvents(at now: Timestamp) async throws {
        try await self.query("DELETE FROM muster.event WHERE ends_at <= $1", [.timestamptz(now - Self.eventLifetime)])
    }

    // MARK: - Calendars

    /// The key of a user's calendar in hexadecimal digits, created at the first call.
    ///
    /// - Throws: `notFound` when there is no such account, `unavailable`.
    func calendarKey(of user: UserID) async throws -> String {
        try await self.calendarKey(of: user, onConflict: "UPDATE SET key = calendar_key.key")
    }

    /// Replaces the key of a user's calendar; the old key becomes invalid.
    ///
    /// - Throws: `notFound` when there is no such account, `unavailable`.
    func renewCalendarKey(of user: UserID) async throws -> String {
        try await self.calendarKey(of: user, onConflict: "UPDATE SET key = excluded.key, made_at = excluded.made_at")
    }

    private func calendarKey(of user: UserID, onConflict change: String) async throws -> String {
        let result = try await self.query(
            """
            INSERT INTO muster.calendar_key (user_id, key, made_at)
            SELECT id, $2, $3 FROM muster.account WHERE id = $1
            ON CONFLICT (user_id) DO \(change) RETURNING encode(key, 'hex') AS key
            """,
            [.id(user), .bytea(randomBytes(count: 16)), .timestamptz(self.now)]
        )
        guard let row = result.first else { throw FrameError(.notFound, message: "There is no such account.") }
        return try row.text("key")
    }

    /// The user whose calendar has the given key.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func calendarOwner(key: String) async throws -> UserID {
        let result = try await self.query(
            "SELECT user_id FROM muster.calendar_key WHERE key = decode($1, 'hex')",
            [.text(CalendarAddress.isKey(key) ? key : "")]
        )
        guard let row = result.first else { throw FrameError(.notFound, message: "There is no such calendar.") }
        return try row.id("user_id")
    }

    /// The events of a user's calendar: hosted, accepted, tentative and waiting.
    ///
    /// - Throws: `unavailable`.
    func calendarEvents(of user: UserID) async throws -> [Event] {
        try await self.events(
            Event.selection(from: Self.ownEvents) + " WHERE e.ends_at > $2 ORDER BY e.starts_at, e.id LIMIT $3",
            [.id(user), .timestamptz(self.now - Self.calendarReach), .int64(Self.calendarLimit)]
        )
    }
}
