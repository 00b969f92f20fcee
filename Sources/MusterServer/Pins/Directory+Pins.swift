import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Posts a pin; replaces the user's existing pin only when `replace` is its revision.
    ///
    /// - Throws: `badRequest`, `notFound` when there is no such account, `unavailable`.
    func postPin(_ draft: PinPost, by user: UserID) async throws -> Committed<PinPosting> {
        let text = try Validation.text(draft.text, Pin.textRule, field: "text")
        if let link = draft.link { try Validation.link(link, field: "link") }
        let place = draft.place
        try Validation.point(place)
        let label = try await self.pinLabel(of: draft)
        let now = self.now
        let pin: PinID = self.nextID(at: now)
        return try await self.transaction { transaction in
            let results = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR SHARE", [.id(user)]),
                // One statement, so that of two concurrent posts the second one sees the pin of the first.
                PostgresStatement(
                    """
                    INSERT INTO muster.pin (id, user_id, text, label, lat, lon, approximate, link, posted_at, revision)
                    SELECT $1, id, $3, $4, $5, $6, $7, $8, $9, $10 FROM muster.account WHERE id = $2
                    ON CONFLICT (user_id) DO UPDATE SET text = excluded.text, label = excluded.label,
                        lat = excluded.lat, lon = excluded.lon, approximate = excluded.approximate,
                        link = excluded.link, posted_at = excluded.posted_at, revision = excluded.revision
                    WHERE pin.revision = $11
                    """,
                    [
                        .id(pin), .id(user), .text(text), .optional(label), .float8(place.latitude),
                        .float8(place.longitude),
                        .bool(draft.approximate == true), .optional(draft.link), .timestamptz(now),
                        .int64(now.milliseconds), draft.replace.map { .int64($0) } ?? .null,
                    ]
                ),
                Self.selectPin(of: user),
            ])
            guard results[0].rowCount == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
            let stored = try results[2].first.map { row in try Pin(row) }
            guard let stored else { throw FrameError(.internal, message: "A posted pin was not stored.") }
            guard results[1].affectedRows == 1 else { return Committed(.existing(stored), []) }
            return Committed(.posted(stored), [.row(.pin(stored))])
        }
    }

    /// The place name for a pin: a house, a street or a nearby city; at most a city for an approximate pin.
    ///
    /// Nil when the gazetteer has no match or there is no gazetteer.
    private func pinLabel(of draft: PinPost) async throws -> String? {
        do {
            let found = try await self.place(at: draft.place, isCoarse: draft.approximate == true)
            return found.map { Pin.placeName(of: $0.place) }
        } catch {
            guard FrameError(error).code == .unavailable else { throw error }
            return nil
        }
    }

    /// The pin of a user; nil when there is none.
    ///
    /// - Throws: `unavailable`.
    func pin(of user: UserID) async throws -> Pin? {
        let statement = Self.selectPin(of: user)
        return try await self.pins(statement.sql, statement.parameters).first
    }

    /// Deletes the pin of a user.
    ///
    /// - Throws: `notFound` when there is none, `unavailable`.
    /// - Returns: the id of the deleted pin.
    func deletePin(of user: UserID) async throws -> Committed<PinID> {
        let deleted = try await self.change("DELETE FROM muster.pin WHERE user_id = $1 RETURNING id", [.id(user)])
        guard let row = deleted.first else { throw FrameError(.notFound, message: "You have no pin.") }
        let pin: PinID = try row.id("id")
        return Committed(pin, [.deleted(.pin, id: pin.rawValue)])
    }

    /// All pins, newest first, a page at a time.
    ///
    /// - Parameters:
    ///   - cursor: `next` of the previous page; nil for the first page.
    ///   - limit: the maximum number of pins, 1 to 100.
    /// - Returns: at most `limit` pins.
    /// - Throws: `badRequest`, `unavailable`.
    func pins(after cursor: PinCursor? = nil, limit: Int) async throws -> PinPage {
        try require(PinsAll.limitRange.contains(limit), "limit", "must be 1 to 100")
        // One more than requested, to detect a further page.
        let page = PostgresStatement(
            Pin.selection(
                from: """
                    (SELECT * FROM muster.pin\(cursor == nil ? "" : " WHERE (posted_at, id) < ($2, $3)")
                    ORDER BY posted_at DESC, id DESC LIMIT $1)
                    """
            ) + " ORDER BY p.posted_at DESC, p.id DESC",
            [.int64(Int64(limit + 1))] + (cursor.map { [.timestamptz($0.at), .id($0.id)] } ?? [])
        )
        let results = try await self.transaction { transaction in
            try await transaction.pipeline([
                page, PostgresStatement("SELECT count(*) AS total FROM muster.pin"), GeocodeStatements.gazetteers,
            ])
        }
        let pins = try results[0].map { row in try Pin(row) }
        let total = Int(try results[1].first?.int64("total") ?? 0)
        let names = try results[2].map { row in try row.text("attribution") }
        let next = pins.count > limit ? PinCursor(pins[limit - 1]) : nil
        return PinPage(
            pins: Array(pins.prefix(limit)),
            next: next,
            total: total,
            attribution: Set(names).sorted()
        )
    }

    /// The current state of pins; deleted ones are left out.
    ///
    /// - Throws: `unavailable`.
    func pins(_ ids: [PinID]) async throws -> [Pin] {
        try await self.pins(Pin.selection(from: "muster.pin") + " WHERE p.id = ANY ($1)", [.ids(ids)])
    }

    /// All pins in ascending order of id, a page at a time.
    ///
    /// - Parameters:
    ///   - last: the last pin of the previous page; nil for the first page.
    ///   - limit: the maximum number of pins.
    /// - Returns: at most `limit` pins; fewer on the last page.
    /// - Throws: `unavailable`.
    func pins(byIDAfter last: PinID?, limit: Int = 4_096) async throws -> [Pin] {
        try await self.pins(
            Pin.selection(from: "(SELECT * FROM muster.pin WHERE id > $1 ORDER BY id LIMIT $2)") + " ORDER BY p.id",
            [.int64(last?.rawValue ?? .min), .int64(Int64(limit))]
        )
    }

    private static func selectPin(of user: UserID) -> PostgresStatement {
        PostgresStatement(Pin.selection(from: "muster.pin") + " WHERE p.user_id = $1", [.id(user)])
    }

    private func pins(_ sql: String, _ parameters: [PostgresValue]) async throws -> [Pin] {
        let result = try await self.query(sql, parameters)
        return try result.map { row in try Pin(row) }
    }
}
