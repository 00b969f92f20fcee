import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The maximum number of a user's events that are not over.
    static let openEventsPerPerson = 50

    /// Creates an event, unless the user has an event with the same key.
    ///
    /// - Throws: `badRequest`; `notMember`; `notFound` when there is no such account, or no such unused photo of the
    ///   user; `conflict` when the user hosts too many events; `unavailable`.
    func createEvent(
        _ draft: EventCreate,
        by user: UserID
    ) async throws -> Committed<EventChange> {
        let now = self.now
        let end = draft.endsAt ?? draft.startsAt + Event.usualLength
        let id: EventID = self.nextID(at: now)
        return try await self.transaction { transaction in
            // The lock serialises the events of one user, so that each transaction counts the others.
            let before = try await transaction.pipeline([
                PostgresStatement(
                    "SELECT id FROM muster.room WHERE id = ANY ($1) FOR NO KEY UPDATE",
                    [.ids(draft.group.map { [$0.room] } ?? [])]
                ),
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR NO KEY UPDATE", [.id(user)]),
                PostgresStatement(
                    Event.selection(from: "muster.event") + " WHERE e.host_id = $1 AND e.key = $2",
                    [.id(user), .text(draft.key)]
                ),
                PostgresStatement(
                    """
                    SELECT count(*) AS events FROM muster.event
                    WHERE host_id = $1 AND ends_at > $2 AND cancelled_at IS NULL
                    """,
                    [.id(user), .timestamptz(now)]
                ),
            ])
            guard before[1].rowCount == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
            if before[2].rowCount > 0 { return Committed(EventChange(try PostgresTransaction.event(in: before[2]))) }
            try Self.check(start: draft.startsAt, end: end, at: now)
            try await transaction.checkZone(draft.tz)
            let count = try before[3].first?.int64("events") ?? 0
            guard count < Self.openEventsPerPerson else {
                throw FrameError(
                    .conflict,
                    message:
                        "You already host \(Self.openEventsPerPerson) events that have not ended, which is the maximum."
                )
            }
            if let group = draft.group {
                let found = try await transaction.query(
                    "SELECT role FROM muster.membership WHERE group_id = $1 AND user_id = $2 FOR KEY SHARE",
                    [.id(group), .id(user)]
                )
                guard found.rowCount == 1 else { throw PostgresTransaction.notMember }
            }
            let results = try await transaction.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.event (id, host_id, group_id, key, title, lat, lon, hide_place, place, text, category,
                        starts_at, ends_at, tz, capacity, created_at, changed_at)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
                    """,
                    [
                        .id(id), .id(user), .optional(draft.group?.rawValue), .text(draft.key), .text(draft.title),
                        .float8(draft.coordinate.latitude), .float8(draft.coordinate.longitude),
                        .bool(draft.hidePlace == true), .optional(draft.place), .optional(draft.text),
                        .optional(draft.category), .timestamptz(draft.startsAt), .timestamptz(end), .text(draft.tz),
                        .optional(draft.capacity.map { Int32($0) }), .timestamptz(now),
                    ]
                ),
                PhotoUse.event.begin(draft.photo, by: id, of: user),
                PostgresTransaction.selectEvent(id, for: user),
            ])
            guard draft.photo == nil || results[1].affectedRows == 1 else { throw Self.unknownPhoto }
            let event = try PostgresTransaction.event(in: results[2])
            let rooms = draft.group.map { [$0.room] } ?? []
            return Committed(EventChange(event, rooms: try await transaction.say(.made, of: event, in: rooms, at: now)))
        }
    }

    /// Changes an event, for its host, and notifies guests of a new title, time or place.
    ///
    /// - Parameters:
    ///   - draft: the fields to change.
    ///   - user: the user who makes the change.
    ///   - admit: called for rate limiting after the permission check.
    /// - Returns: the changed event.
    /// - Throws: `badRequest`, `notFound`, `forbidden`, `gone`, `unavailable`, and errors of `admit`.
    func updateEvent(
        _ draft: EventUpdate,
        by user: UserID,
        admit: () throws -> Void = {}
    ) async throws -> Committed<EventChange> {
        let now = self.now
        return try await self.transaction { transaction in
            let old = try await transaction.lockOwnEvent(draft.event, for: user, at: now)
            guard draft.version == old.version else { return Committed(EventChange(old, isStale: true)) }
            try admit()
            let start = draft.startsAt ?? old.startsAt
            // A change of the start alone moves the end as well.
            let end = draft.endsAt ?? old.endsAt + (start - old.startsAt)
            if start != old.startsAt || end != old.endsAt {
                try Self.check(start: start, end: end, at: now, isRunning: start == old.startsAt)
            }
            if let zone = draft.tz, zone != old.timeZone { try await transaction.checkZone(zone) }
            let point = draft.coordinate ?? old.coordinate
            try await transaction.query(
                """
                UPDATE muster.event SET title = $2, lat = $3, lon = $4, hide_place = $5, place = $6, text = $7,
                    category = $8, starts_at = $9, ends_at = $10, tz = $11, capacity = $12, changed_at = $13,
                    version = version + 1
                WHERE id = $1
                """,
                [
                    .id(old.id), .text(draft.title ?? old.title), .float8(point.latitude), .float8(point.longitude),
                    .bool(draft.hidePlace ?? old.hidesPlace), .optional(draft.place.applied(to: old.place)),
                    .optional(draft.text.applied(to: old.text)), .optional(draft.category.applied(to: old.category)),
                    .timestamptz(start), .timestamptz(end), .text(draft.tz ?? old.timeZone),
                    .optional(draft.capacity.applied(to: old.capacity).map { Int32($0) }), .timestamptz(now),
                ]
            )
            try await transaction.changePhoto(draft.photo, of: old, by: user)
            // The message in the room reveals no more of a hidden place than all members may see.
            let new = try await transaction.event(old.id, for: user)
            let said = PostgresTransaction.changes(from: old.coarsened, to: new.coarsened)
            let rooms = said.isEmpty ? [] : [new.id.room]
            _ = try await transaction.say(.changed, of: new, in: rooms, changed: said, at: now)
            let (event, promoted) = try await transaction.fillEvent(old.id, for: user)
            let stale = try await transaction.withdrawNotices(of: event)
            let notifications =
                PostgresTransaction.notifications(of: promoted + stale.placed, in: event, at: now)
                + PostgresTransaction.notifications(from: old, to: event, at: now)
            return Committed(
                EventChange(
                    event,
                    publications: stale.publications + (try await transaction.commit(publishing: notifications)),
                    rooms: rooms
                )
            )
        }
    }

    /// Cancels an event, for its host, and notifies its guests.
    ///
    /// - Throws: `notFound`, `forbidden`, `gone`, `unavailable`.
    func cancelEvent(_ id: EventID, by user: UserID) async throws -> Committed<EventChange> {
        let now = self.now
        return try await self.transaction { transaction in
            _ = try await transaction.lockOwnEvent(id, for: user, at: now)
            let results = try await transaction.pipeline([
                PostgresStatement(
                    "UPDATE muster.event SET cancelled_at = $2, changed_at = $2, version = version + 1 WHERE id = $1",
                    [.id(id), .timestamptz(now)]
                ),
                PostgresTransaction.selectEvent(id, for: user),
            ])
            let event = try PostgresTransaction.event(in: results[1])
            let concerned = [event.id.room] + (event.group.map { [$0.room] } ?? [])
            let rooms = try await transaction.say(.cancelled, of: event, in: concerned, at: now)
            let content = NotificationContent(.eventCancelled, of: event, subject: "cancelled", from: user, at: now)
            let guests = event.guests.filter { $0.isConcerned && $0.user != user }.map(\.user)
            let stale = try await transaction.withdrawNotices(of: event, isOff: true)
            let publications = try await transaction.commit(publishing: [(content, guests)])
            return Committed(EventChange(event, publications: stale.publications + publications, rooms: rooms))
        }
    }

    private static func check(
        start: Timestamp,
        end: Timestamp,
        at now: Timestamp,
        isRunning: Bool = false
    ) throws {
        try require(start - now <= Event.farthest, "startsAt", "must be at most five years ahead")
        try require(end > start, "endsAt", "must be after startsAt")
        try require(end - start <= Event.longest, "endsAt", "must be at most 14 days after startsAt")
        try require(end > now, isRunning ? "endsAt" : "startsAt", "must be in the future")
    }
}

extension PostgresTransaction {
    /// Requires that the database knows a time zone.
    fileprivate func checkZone(_ name: String) async throws {
        let found = try await self.query("SELECT name FROM pg_timezone_names WHERE name = $1", [.text(name)])
        try require(found.rowCount > 0, "tz", "must be an IANA time zone name, such as Europe/Vienna")
    }

    /// Replaces or removes the photo of an event.
    fileprivate func changePhoto(
        _ change: FieldChange<PhotoID>,
        of event: Event,
        by user: UserID
    ) async throws {
        let photo = change.applied(to: event.photo?.id)
        guard photo != event.photo?.id else { return }
        let results = try await self.pipeline([
            PostgresStatement("DELETE FROM muster.photo_use WHERE event_id = $1", [.id(event.id)]),
            PhotoUse.event.begin(photo, by: event.id, of: user),
        ])
        guard photo == nil || results[1].affectedRows == 1 else { throw Directory.unknownPhoto }
    }

    /// The notifications of changed time, place and title, with the precision that each guest may see.
    fileprivate static func notifications(
        from old: Event,
        to event: Event,
        at now: Timestamp
    ) -> [AddressedNotification] {
        let guests = event.guests.filter { $0.isConcerned && $0.user != event.host.id }
        return [false, true].compactMap { isCoarse in
            let users = guests.map(\.user).filter { event.isCoarse(for: $0) == isCoarse }
            let changed =
                isCoarse ? Self.changes(from: old.coarsened, to: event.coarsened) : Self.changes(from: old, to: event)
            guard !users.isEmpty, !changed.isEmpty else { return nil }
            let content = NotificationContent(
                .eventChanged,
                of: event,
                subject: "version:\(event.version)",
                changed: changed,
                from: event.host.id,
                at: now
            )
            return (content, users)
        }
    }

    fileprivate static func changes(from old: Event, to event: Event) -> [String] {
        var changed: [String] = []
        if old.title != event.title { changed.append("title") }
        if old.startsAt != event.startsAt { changed.append("startsAt") }
        if old.endsAt != event.endsAt { changed.append("endsAt") }
        if old.coordinate.latitude != event.coordinate.latitude { changed.append("lat") }
        if old.coordinate.longitude != event.coordinate.longitude { changed.append("lon") }
        if old.place != event.place { changed.append("place") }
        return changed
    }
}
