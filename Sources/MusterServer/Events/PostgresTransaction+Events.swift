import MusterCore
import MusterWire
import Postgres

extension PostgresTransaction {
    /// Reads an event, if it is visible to the user.
    ///
    /// - Throws: `notFound` when the event does not exist or is not visible to the user.
    func event(_ id: EventID, for user: UserID) async throws -> Event {
        try Self.event(in: try await self.pipeline([Self.selectEvent(id, for: user)])[0])
    }

    /// Locks an event, then reads it, if it is visible to the user.
    ///
    /// - Throws: `notFound`; `gone` when it is cancelled or over.
    func lockEvent(_ id: EventID, for user: UserID, at now: Timestamp) async throws -> Event {
        let results = try await self.pipeline([
            PostgresStatement("SELECT id FROM muster.event WHERE id = $1 FOR NO KEY UPDATE", [.id(id)]),
            Self.selectEvent(id, for: user),
        ])
        let event = try Self.event(in: results[1])
        switch event.state(at: now) {
        case .planned: return event
        case .cancelled: throw FrameError(.gone, message: "This event was cancelled.")
        case .over: throw FrameError(.gone, message: "This event is over.")
        }
    }

    /// The same for its host.
    ///
    /// - Throws: also `forbidden`.
    func lockOwnEvent(_ id: EventID, for user: UserID, at now: Timestamp) async throws -> Event {
        let event = try await self.lockEvent(id, for: user, at: now)
        guard event.host.id == user else {
            throw FrameError(.forbidden, message: "Only the host of the event may do this.")
        }
        return event
    }

    /// Assigns the free places of a locked event to waiting guests, then reads it.
    ///
    /// - Returns: the event, and the promoted guests, who must be notified.
    func fillEvent(_ id: EventID, for user: UserID) async throws -> (event: Event, promoted: [UserID]) {
        let results = try await self.pipeline([
            PostgresStatement("UPDATE muster.event SET revision = revision + 1 WHERE id = $1", [.id(id)]),
            PostgresStatement("SELECT muster.give_places($1) AS lucky", [.id(id)]),
            Self.selectEvent(id, for: user),
        ])
        let promoted = try results[1].first?.int64Array("lucky").compactMap { $0.map(UserID.init) } ?? []
        return (try Self.event(in: results[2]), promoted)
    }

    /// The notifications of promoted guests; a guest who returned a place and waited again is notified again.
    static func notifications(
        of promoted: [UserID],
        in event: Event,
        at now: Timestamp
    ) -> [AddressedNotification] {
        promoted.map { user in
            let subject = "place:\(event.guest(user)?.askedAt.milliseconds ?? 0)"
            return (NotificationContent(.eventPlace, of: event, subject: subject, at: now), [user])
        }
    }

    /// Withdraws unseen notifications of a locked event that contain an outdated title or time.
    ///
    /// For a cancelled event, all unseen notifications of changes, reminders and places are withdrawn.
    ///
    /// - Returns: the withdrawals to publish, and the guests whose notification of a place was withdrawn although they
    ///   still have it.
    func withdrawNotices(
        of event: Event,
        isOff: Bool = false
    ) async throws -> (publications: [Publication], placed: [UserID]) {
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
        var (numbers, placed): ([NotificationNumber], [UserID]) = ([], [])
        for row in result {
            let user: UserID = try row.id("user_id")
            numbers.append(NotificationNumber(user: user, number: try row.int64("number")))
            let isOfPlace = try row.text("kind") == NotificationKind.eventPlace.name
            if isOfPlace, event.guest(user)?.rsvp == .yes { placed.append(user) }
        }
        return (numbers.isEmpty ? [] : [Publication(withdrawn: numbers)], placed)
    }

    static func selectEvent(_ id: EventID, for user: UserID) -> PostgresStatement {
        PostgresStatement(
            Event.selection(from: "muster.event") + " WHERE e.id = $1 AND \(Self.mayFindEvent("$2"))",
            [.id(id), .id(user)]
        )
    }

    /// Whether an event `e` is visible to a user.
    static func mayFindEvent(_ user: String) -> String {
        """
        (e.group_id IS NULL OR EXISTS (
            SELECT FROM muster.membership m WHERE m.group_id = e.group_id AND m.user_id = \(user)))
        """
    }

    /// Posts a message about an event to rooms, which stay locked until the commit.
    ///
    /// - Returns: the rooms, whose changes must be published after the commit.
    func say(
        _ message: EventSystemMessage,
        of event: Event,
        in rooms: [RoomID],
        changed: [String]? = nil,
        at now: Timestamp
    ) async throws -> [RoomID] {
        var fields: [NotificationPayload.Field] = [
            .init("event", .text(message.rawValue)), .init("id", .text(event.id.description)),
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

    static func event(in result: PostgresResult) throws -> Event {
        guard let row = result.first else { throw FrameError(.notFound, message: "There is no such event.") }
        return try Event(row)
    }
}

/// The system messages about an event.
enum EventSystemMessage: String {
    case made = "event_made"
    case changed = "event_changed"
    case cancelled = "event_cancelled"
}
