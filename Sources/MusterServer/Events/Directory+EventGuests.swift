import MusterCore
import MusterWire
import Postgres

// The row of the event is locked before its guests are counted, so two requests for the last place are serialised.

extension Directory {
    /// Stores a guest's answer; a yes without a free place joins the waiting list.
    ///
    /// - Throws: `notFound`; `forbidden` when the host removed the user from the guest list; `gone`; `unavailable`.
    func reply(
        _ choice: EventReply.Choice,
        to id: EventID,
        by user: UserID
    ) async throws -> Committed<EventChange> {
        let now = self.now
        return try await self.transaction { transaction in
            let event = try await transaction.lockEvent(id, for: user, at: now)
            let before = event.guest(user)?.rsvp
            guard before != .removed else {
                throw FrameError(.forbidden, message: "The host has removed you from the event.")
            }
            let rsvp: EventGuest.RSVP =
                switch choice {
                case .yes: before == .yes || before != .waiting && event.hasFreePlaces ? .yes : .waiting
                case .maybe: .maybe
                case .no: .no
                }
            guard rsvp != before else { return Committed(EventChange(event)) }
            try await transaction.setGuest(user, rsvp, of: event, at: now)
            return try await transaction.promoteGuests(of: id, for: user, at: now)
        }
    }

    /// Removes a guest permanently, for the host.
    ///
    /// - Throws: `badRequest` for oneself; `notFound`, also when the user never answered; `forbidden`, `gone`,
    ///   `unavailable`.
    func removeGuest(
        _ guest: UserID,
        from id: EventID,
        by user: UserID
    ) async throws -> Committed<EventChange> {
        try require(guest != user, "user", "must be another user")
        let now = self.now
        return try await self.transaction { transaction in
            let event = try await transaction.lockOwnEvent(id, for: user, at: now)
            guard let known = event.guest(guest) else {
                throw FrameError(.notFound, message: "This user is not a guest of the event.")
            }
            guard known.rsvp != .removed else { return Committed(EventChange(event)) }
            try await transaction.setGuest(guest, .removed, of: event, at: now)
            return try await transaction.promoteGuests(of: id, for: user, at: now)
        }
    }

    /// The guests of an event, for its host and guests, a page at a time.
    ///
    /// - Throws: `notFound`, `forbidden`, `unavailable`.
    func guests(
        of id: EventID,
        after cursor: EventCursor?,
        limit: Int,
        for user: UserID
    ) async throws -> (guests: [NamedGuest], next: EventCursor?) {
        let event = try await self.event(id, for: user)
        guard user == event.host.id || event.guest(user)?.isConcerned == true else {
            throw FrameError(.forbidden, message: "Only the host and the guests may see the guest list.")
        }
        let result = try await self.query(
            """
            SELECT g.rsvp, g.asked_at, a.id AS user_id, a.name, a.avatar
            FROM muster.event_guest g JOIN muster.account a ON a.id = g.user_id
            WHERE g.event_id = $1 AND g.rsvp <> 'removed' AND (g.asked_at, g.user_id) > ($2, $3)
            ORDER BY g.asked_at, g.user_id LIMIT $4
            """,
            [
                .id(id), .timestamptz(cursor?.at ?? Timestamp(milliseconds: 0)), .int64(cursor?.id ?? 0),
                .int64(Int64(limit + 1)),
            ]
        )
        let guests = try result.map { row in
            NamedGuest(
                person: try row.profile(),
                rsvp: try row.choice("rsvp"),
                askedAt: try row.timestamp("asked_at")
            )
        }
        guard guests.count > limit else { return (guests, nil) }
        let last = guests[limit - 1]
        return (Array(guests.prefix(limit)), EventCursor(at: last.askedAt, id: last.person.id.rawValue))
    }
}

extension PostgresTransaction {
    /// Assigns free places to waiting guests, stores their notifications, and commits.
    fileprivate func promoteGuests(
        of id: EventID,
        for user: UserID,
        at now: Timestamp
    ) async throws -> Committed<EventChange> {
        let (event, promoted) = try await self.fillEvent(id, for: user)
        let notifications = Self.notifications(of: promoted, in: event, at: now)
        return Committed(EventChange(event, publications: try await self.commit(publishing: notifications)))
    }

    /// Stores a guest's answer to a locked event, with a later time than all earlier answers.
    fileprivate func setGuest(
        _ user: UserID,
        _ rsvp: EventGuest.RSVP,
        of event: Event,
        at now: Timestamp
    ) async throws {
        let last = event.guests.map(\.askedAt).max()
        let moment = max(now, last.map { $0 + 1 } ?? now)
        let stored = try await self.query(
            """
            INSERT INTO muster.event_guest (event_id, user_id, rsvp, asked_at)
            SELECT $1, id, $3::text::muster.event_rsvp, $4 FROM muster.account WHERE id = $2
            ON CONFLICT (event_id, user_id) DO UPDATE SET rsvp = excluded.rsvp, asked_at = excluded.asked_at
            """,
            [.id(event.id), .id(user), .text(rsvp.rawValue), .timestamptz(moment)]
        )
        guard stored.affectedRows == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
    }
}
