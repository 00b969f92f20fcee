import MusterCore
import Postgres

extension DirectoryTransaction {
    /// Reads an event, for one who may see it.
    ///
    /// - Throws: `notFound`, whether there is no such event or they may not see it.
    func event(_ id: EventID, for user: UserID) async throws(DirectoryError) -> Event {
        try Self.event(in: try await self.pipeline([Self.selectEvent(id, for: user)])[0])
    }

    /// Locks an event and reads it then, for one who may see it.
    ///
    /// - Throws: `notFound`, `gone` when it was called off or is over.
    func lockEvent(_ id: EventID, for user: UserID, at now: Timestamp) async throws(DirectoryError) -> Event {
        let results = try await self.pipeline([
            PostgresStatement("SELECT id FROM muster.event WHERE id = $1 FOR NO KEY UPDATE", [.id(id)]),
            Self.selectEvent(id, for: user),
        ])
        let event = try Self.event(in: results[1])
        switch event.state(at: now) {
        case .planned: return event
        case .cancelled: throw DirectoryError(.gone, "this event was called off")
        case .over: throw DirectoryError(.gone, "this event is over")
        }
    }

    /// The same for its host.
    ///
    /// - Throws: also `forbidden`.
    func lockOwnEvent(_ id: EventID, for user: UserID, at now: Timestamp) async throws(DirectoryError) -> Event {
        let event = try await self.lockEvent(id, for: user, at: now)
        guard event.host.id == user else { throw DirectoryError(.forbidden, "only the host of the event may do this") }
        return event
    }

    /// Gives the free places of a locked event to those who wait, and reads it then.
    ///
    /// - Returns: the event, and who has a place now and is to be told.
    func fillEvent(_ id: EventID, for user: UserID) async throws(DirectoryError) -> (event: Event, lucky: [UserID]) {
        let results = try await self.pipeline([
            PostgresStatement("UPDATE muster.event SET revision = revision + 1 WHERE id = $1", [.id(id)]),
            PostgresStatement("SELECT muster.give_places($1) AS lucky", [.id(id)]),
            Self.selectEvent(id, for: user),
        ])
        let lucky = try decoding { () throws(PostgresError) in
            try results[1].first?.int64Array("lucky").compactMap { $0.map(UserID.init) } ?? []
        }
        return (try Self.event(in: results[2]), lucky)
    }

    /// What those are told who waited for a place and have it now; who gave one back and waited again is told again.
    static func news(
        of lucky: [UserID],
        in event: Event,
        at now: Timestamp
    ) -> [News] {
        lucky.map { user in
            let subject = "place:\(event.guest(user)?.askedAt.milliseconds ?? 0)"
            return (NotificationContent(.eventPlace, of: event, subject: subject, at: now), [user])
        }
    }

    /// Takes back what guests have not seen of a locked event when it calls the event otherwise, or at another time, than it is
    /// now; of one that is off all of it.
    ///
    /// - Returns: what to publish, and who had been told that they have a place, which is still so.
    func withdrawNotices(
        of event: Event,
        isOff: Bool = false
    ) async throws(DirectoryError) -> (publications: [Publication], placed: [UserID]) {
        let result = try await self.query(
            """
            DELETE FROM muster.notification
            WHERE user_id = ANY ($1) AND seen_at IS NULL AND kind IN ('event_changed', 'event_soon', 'event_place')
                AND payload ->> 'event' = $2 AND ($3 OR payload ->> 'title' <> $4 OR payload ->> 'startsAt' <> $5)
            RETURNING user_id, number, kind
            """,
            [
                .ids(event.guests.map(\.user)), .text(event.id.description), .bool(isOff), .text(event.title),
                .text("\(event.startsAt.milliseconds)"),
            ]
        )
        return try decoding { () throws(PostgresError) in
            var (numbers, placed): ([NotificationNumber], [UserID]) = ([], [])
            for row in result {
                let user: UserID = try row.id("user_id")
                numbers.append(NotificationNumber(user: user, number: try row.int64("number")))
                let isOfPlace = try row.text("kind") == NotificationKind.eventPlace.name
                if isOfPlace, event.guest(user)?.rsvp == .yes { placed.append(user) }
            }
            return (numbers.isEmpty ? [] : [Publication(withdrawn: numbers)], placed)
        }
    }

    static func selectEvent(_ id: EventID, for user: UserID) -> PostgresStatement {
        PostgresStatement(
            Event.selection(from: "muster.event") + " WHERE e.id = $1 AND \(Self.mayFindEvent("$2"))",
            [.id(id), .id(user)]
        )
    }

    /// Whether a person may find an event `e`.
    static func mayFindEvent(_ user: String) -> String {
        """
        (e.group_id IS NULL OR EXISTS (
            SELECT FROM muster.membership m WHERE m.group_id = e.group_id AND m.user_id = \(user)))
        """
    }

    /// Has rooms say what became of an event; they are locked until the commit.
    ///
    /// - Returns: the rooms, of whose change others are to be told once it is committed.
    func say(
        _ word: EventWord,
        of event: Event,
        in rooms: [RoomID],
        changed: [String]? = nil,
        at now: Timestamp
    ) async throws(DirectoryError) -> [RoomID] {
        var fields: [NotificationPayload.Field] = [
            .init("event", .text(word.rawValue)), .init("id", .text(event.id.description)),
            .init("title", .text(event.title)), .init("startsAt", .integer(event.startsAt.milliseconds)),
        ]
        if let changed { fields.append(.init("changed", .list(changed.map { .text($0) }))) }
        let data = NotificationPayload(fields).column
        try await self.pipeline(
            rooms.sorted().map { room in
                PostgresStatement(
                    "SELECT muster.say_in_room($1, $2, $3, $4, $5::jsonb)",
                    [
                        .id(room), .id(event.host.id), .text("e:\(event.id):\(event.version)"), .timestamptz(now),
                        .text(data),
                    ]
                )
            }
        )
        return rooms
    }

    static func event(in result: PostgresResult) throws(DirectoryError) -> Event {
        guard let row = result.first else { throw DirectoryError(.notFound, "there is no such event") }
        return try decoding { () throws(PostgresError) in try Event(row) }
    }
}

/// What rooms say of an event.
enum EventWord: String {
    case made = "event_made"
    case changed = "event_changed"
    case cancelled = "event_cancelled"
}
