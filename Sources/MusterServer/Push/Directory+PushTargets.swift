import MusterCore
import MusterWire
import OutboundHTTP
import Postgres

/// A device or server that gets notifications, as its owner sees it.
struct PushTarget: Encodable, Sendable {
    let id: PushTargetID
    let type: String
    let name: String?
    /// The host of the address, or the name of the app.
    let place: String
    let lang: String
    let at: Timestamp
    let succeededAt: Timestamp?
    let trouble: String?
    let disabledAt: Timestamp?
    /// Whether the login of the request registered it.
    let current: Bool
}

/// A target to be registered.
struct PushTargetDraft: Sendable {
    var address: PushAddress
    var place: String
    var name: String?
    var language: Language
}

extension Directory {
    /// The maximum number of targets of a user.
    static let pushTargetLimit = 20
    /// The age of the last sign of a user's devices after which their targets are deleted, in milliseconds.
    static let pushTargetMemory: Int64 = 90 * 86_400_000

    /// Registers a target, or the same target of an earlier user or login anew.
    ///
    /// - Returns: the id, and the address as stored.
    /// - Throws: `conflict` for a known address with other keys and for too many targets, `unavailable`.
    func addPushTarget(
        _ draft: PushTargetDraft,
        of user: UserID,
        login: LoginID,
        _ keys: PushKeys
    ) async throws -> (id: PushTargetID, address: PushAddress) {
        let now = self.now
        let fresh: PushTargetID = self.nextID(at: now)
        return try await self.transaction { transaction in
            let before = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR NO KEY UPDATE", [.id(user)]),
                PostgresStatement(
                    "SELECT id, user_id, secret FROM muster.push_target WHERE address_hash = $1 FOR UPDATE",
                    [.bytea(draft.address.hash)]
                ),
                PostgresStatement("SELECT count(*) AS count FROM muster.push_target WHERE user_id = $1", [.id(user)]),
            ])
            guard !before[0].isEmpty else { throw Self.deadToken }
            var address = draft.address
            let known = before[1].first
            var id = fresh
            if let known {
                id = try known.id("id")
                let owner: UserID = try known.id("user_id")
                let stored = PushAddress.open(try known.bytes("secret"), keys)
                if let stored, !stored.hasKeys(of: address) || (address.kind == .webhook && owner != user) {
                    throw FrameError(.conflict, message: "This address is registered with other keys.")
                }
                if let stored, address.kind == .webhook {
                    address.formerSecret = stored.secret
                    address.formerUntil = now.milliseconds + PushAddress.secretOverlap
                }
                if owner != user {
                    // What was meant for the earlier user is not sent, and their actions end with the old id.
                    try await transaction.query("DELETE FROM muster.push_target WHERE id = $1", [.id(id)])
                    id = fresh
                }
            }
            let isNew = id == fresh
            guard try !isNew || before[2].first?.int64("count") ?? 0 < Int64(Self.pushTargetLimit) else {
                throw FrameError(
                    .conflict,
                    message: "You have \(Self.pushTargetLimit) targets; remove one of them first."
                )
            }
            try await transaction.query(
                """
                INSERT INTO muster.push_target (id, user_id, login_id, kind, address_hash, secret, place, name, language,
                    created_at, last_seen_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
                ON CONFLICT (id) DO UPDATE SET login_id = excluded.login_id, secret = excluded.secret,
                    name = excluded.name, language = excluded.language, last_seen_at = excluded.last_seen_at,
                    revision = push_target.revision + 1, refusals = 0, failing_since = NULL, trouble = NULL,
                    disabled_at = NULL
                """,
                [
                    .id(id), .id(user), .id(login), .text(address.kind.rawValue), .bytea(address.hash),
                    .bytea(address.sealed(keys)), .text(draft.place), .optional(draft.name),
                    .text(draft.language.rawValue), .timestamptz(now),
                ]
            )
            return (id, address)
        }
    }

    /// The targets of a user, in the order of their registration.
    ///
    /// - Throws: `unavailable`.
    func pushTargets(of user: UserID, login: LoginID) async throws -> [PushTarget] {
        let result = try await self.query(
            """
            SELECT id, kind, name, place, language, created_at, succeeded_at, trouble, disabled_at,
                coalesce(login_id = $2, false) AS is_current
            FROM muster.push_target WHERE user_id = $1 ORDER BY id
            """,
            [.id(user), .id(login)]
        )
        return try result.map { row in
            PushTarget(
                id: try row.id("id"),
                type: try row.text("kind"),
                name: try row.optionalText("name"),
                place: try row.text("place"),
                lang: try row.text("language"),
                at: try row.timestamp("created_at"),
                succeededAt: try row.optionalTimestamp("succeeded_at"),
                trouble: try row.optionalText("trouble"),
                disabledAt: try row.optionalTimestamp("disabled_at"),
                current: try row.bool("is_current")
            )
        }
    }

    /// Deletes a target, with everything that waits for it.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func deletePushTarget(_ id: PushTargetID, of user: UserID) async throws {
        let result = try await self.query(
            "DELETE FROM muster.push_target WHERE id = $1 AND user_id = $2 RETURNING id",
            [.id(id), .id(user)]
        )
        guard !result.isEmpty else { throw Self.noPushTarget }
    }

    /// Deletes the targets that a login registered, when the user logs out.
    ///
    /// - Throws: `unavailable`.
    func deletePushTargets(of login: LoginID) async throws {
        try await self.query("DELETE FROM muster.push_target WHERE login_id = $1", [.id(login)])
    }

    /// Puts a test message for a target into the queue.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func testPushTarget(_ id: PushTargetID, of user: UserID) async throws {
        let result = try await self.query(
            """
            INSERT INTO muster.push_delivery (target_id, user_id, kind, payload, at, due_at, expires_at, has_waited)
            SELECT t.id, t.user_id, '\(PushMessage.testKind)', '{}', now(), now(), now() + interval '10 minutes', true
            FROM muster.push_target t WHERE t.id = $1 AND t.user_id = $2 AND t.disabled_at IS NULL RETURNING id
            """,
            [.id(id), .id(user)]
        )
        guard !result.isEmpty else { throw Self.noPushTarget }
    }

    /// Replaces the address of a browser's target, which proves that it is the same browser.
    ///
    /// - Throws: `unauthorized`, `conflict`, `unavailable`.
    func renewPushTarget(
        _ id: PushTargetID,
        code: String,
        _ address: PushAddress,
        place: String,
        _ keys: PushKeys
    ) async throws {
        let result = try await self.query(
            "SELECT user_id FROM muster.push_target WHERE id = $1 AND kind = 'webpush'",
            [.id(id)]
        )
        guard let row = result.first, keys.isRenewal(code, of: id, of: try row.id("user_id")) else {
            throw FrameError(.unauthorized, message: "The code does not renew this target.")
        }
        do {
            try await self.query(
                """
                UPDATE muster.push_target SET address_hash = $2, secret = $3, place = $4, revision = revision + 1,
                    refusals = 0, failing_since = NULL, trouble = NULL, disabled_at = NULL, last_seen_at = $5
                WHERE id = $1
                """,
                [.id(id), .bytea(address.hash), .bytea(address.sealed(keys)), .text(place), .timestamptz(self.now)]
            )
        } catch let error as PostgresError where error.isUniqueViolation {
            throw FrameError(.conflict, message: "This address is registered as another target.")
        }
    }

    /// Deletes the targets of users whose devices have not been heard for a long time.
    ///
    /// - Throws: `unavailable`.
    func sweepPushTargets(at now: Timestamp) async throws {
        try await self.query(
            """
            UPDATE muster.push_target t SET last_seen_at = d.last_seen
            FROM (SELECT user_id, max(last_seen) AS last_seen FROM muster.device GROUP BY user_id) d
            WHERE d.user_id = t.user_id AND d.last_seen > t.last_seen_at
            """
        )
        try await self.query(
            "DELETE FROM muster.push_target WHERE last_seen_at <= $1",
            [.timestamptz(now - Self.pushTargetMemory)]
        )
    }

    /// Puts a request that is not stored as a notification into the outbox, unless the user is paused in its group.
    ///
    /// - Throws: `unavailable`.
    func enqueuePush(_ content: NotificationContent, to user: UserID, until expiresAt: Timestamp) async throws {
        try await self.query(
            """
            INSERT INTO muster.push_outbox (user_id, kind, group_id, payload, at, expires_at)
            SELECT m.user_id, $3, m.group_id, $4, $5, $6 FROM muster.membership m
            WHERE m.user_id = $1 AND m.group_id = $2
                AND muster.sharing_at(m.sharing, m.sharing_until, m.sharing_then, $5) <> 'paused'
            """,
            [
                .id(user), .optional(content.group?.rawValue), .text(content.kind),
                .jsonb(String(decoding: content.payload.json, as: UTF8.self)), .timestamptz(content.at),
                .timestamptz(expiresAt),
            ]
        )
    }

    /// Puts a new spot into the outbox for users nearby who have chosen that; six an hour for each.
    ///
    /// - Throws: `unavailable`.
    func enqueuePushes(of spot: Spot) async throws {
        let payload = NotificationPayload([
            .init(
                "spot",
                .object([.init("id", .text(spot.id.description)), .init("comment", .text(spot.comment))])
            )
        ])
        try await self.query(
            """
            WITH near AS (
                UPDATE muster.push_setting s SET spot_times = array_append(r.times, now())
                FROM muster.position p,
                    LATERAL (SELECT ST_SetSRID(ST_MakePoint($2, $1), 4326)::geography AS place) x,
                    muster.push_setting o,
                    LATERAL (SELECT ARRAY(SELECT t FROM unnest(o.spot_times) t WHERE t > now() - interval '1 hour') AS times) r
                WHERE o.user_id = s.user_id AND p.user_id = s.user_id AND s.kinds ->> 'new_spot' = 'true'
                    AND s.user_id <> $3 AND p.at > $5 - interval '45 minutes' AND ST_DWithin(p.place, x.place, 5000)
                    AND cardinality(r.times) < 6
                    AND EXISTS (SELECT FROM muster.push_target t WHERE t.user_id = s.user_id AND t.disabled_at IS NULL)
                    AND NOT EXISTS (SELECT FROM muster.block k WHERE k.user_id = s.user_id AND k.blocked_id = $3)
                RETURNING s.user_id
            )
            INSERT INTO muster.push_outbox (user_id, kind, payload, at) SELECT user_id, 'new_spot', $4, $5 FROM near
            """,
            [
                .float8(spot.coordinate.latitude), .float8(spot.coordinate.longitude), .id(spot.author.id),
                .jsonb(String(decoding: payload.json, as: UTF8.self)), .timestamptz(self.now),
            ]
        )
    }

    static var noPushTarget: FrameError { FrameError(.notFound, message: "You have no such target.") }
}
