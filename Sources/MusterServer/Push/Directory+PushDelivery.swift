import MusterCore
import MusterWire
import Postgres

/// A push that this server has leased.
struct PushLease: Sendable {
    let id: Int64
    /// The number of this attempt, from 1; a later lease has another.
    let attempt: Int32
}

/// Everything about a leased push, as of right before it is sent.
struct LeasedPush: Sendable {
    let lease: PushLease
    let target: PushTargetID
    let user: UserID
    /// The revision of the target's address.
    let revision: Int32
    /// The sealed address.
    let secret: [UInt8]
    let language: Language
    let content: NotificationContent
    let number: Int64?
    let dueAt: Timestamp
    let expiresAt: Timestamp
    let isSeen: Bool
    let isMember: Bool
    let isInForeground: Bool
    let hasWaited: Bool
    let isWithoutBody: Bool
    let settings: PushSettings
    /// The time of PostgreSQL.
    let now: Timestamp
}

extension Directory {
    /// The number of notifications that are planned, and of pushes that are leased, at a time.
    static let pushesAtATime = 200
    /// The time of a lease in seconds, longer than a request to a push service.
    static let pushLease = 60

    /// Plans new notifications: one push for each target, in one statement.
    ///
    /// - Returns: the number of notifications that were planned.
    /// - Throws: `unavailable`.
    func planPushes() async throws -> Int {
        let kinds = NotificationKind.table
        let lifetimes = kinds.map { kind -> Int64? in
            if case .milliseconds(let length) = kind.push.lifetime { length } else { nil }
        }
        let result = try await self.query(
            """
            WITH claimed AS (
                DELETE FROM muster.push_outbox WHERE id IN (
                    SELECT id FROM muster.push_outbox ORDER BY id LIMIT \(Self.pushesAtATime) FOR UPDATE SKIP LOCKED)
                RETURNING *
            ), planned AS (
                INSERT INTO muster.push_delivery (target_id, user_id, kind, number, group_id, payload, at, due_at, expires_at)
                SELECT t.id, c.user_id, c.kind, c.number, c.group_id, c.payload, c.at,
                    now() + r.wait * interval '1 millisecond',
                    coalesce(c.expires_at, c.at + r.lifetime * interval '1 millisecond',
                        greatest(to_timestamp((n.payload ->> 'startsAt')::bigint / 1000.0), c.at + interval '1 hour'))
                FROM claimed c
                    JOIN unnest($1::text[], $2::bigint[], $3::bigint[], $4::boolean[]) AS r (kind, wait, lifetime, is_on)
                        ON r.kind = c.kind
                    JOIN muster.push_target t ON t.user_id = c.user_id AND t.disabled_at IS NULL
                    LEFT JOIN muster.push_setting s ON s.user_id = c.user_id
                    LEFT JOIN muster.notification n ON n.user_id = c.user_id AND n.number = c.number
                WHERE coalesce((s.kinds ->> c.kind)::boolean, r.is_on)
                ON CONFLICT (target_id, number) DO NOTHING
            )
            SELECT count(*) AS count FROM claimed
            """,
            [
                .textArray(kinds.map(\.name)), .int64Array(kinds.map { $0.push.wait }), .int64Array(lifetimes),
                .boolArray(kinds.map { $0.push.isOn }),
            ]
        )
        return Int(try result.onlyRow()?.int64("count") ?? 0)
    }

    /// Leases pushes that are due, and those whose lease has lapsed, so that no other server sends them meanwhile.
    ///
    /// - Throws: `unavailable`.
    func leasePushes() async throws -> [PushLease] {
        let result = try await self.query(
            """
            UPDATE muster.push_delivery d SET leased_until = now() + interval '\(Self.pushLease) seconds',
                attempts = d.attempts + 1
            WHERE d.id IN (
                SELECT id FROM muster.push_delivery
                WHERE due_at <= now() AND (leased_until IS NULL OR leased_until <= now())
                ORDER BY due_at, id LIMIT \(Self.pushesAtATime) FOR UPDATE SKIP LOCKED)
            RETURNING d.id, d.attempts
            """
        )
        return try result.map { PushLease(id: try $0.int64("id"), attempt: try $0.int32("attempts")) }
    }

    /// The number of pushes that wait, as far as `limit`.
    ///
    /// - Throws: `unavailable`.
    func pendingPushes(limit: Int = 1_000_000) async throws -> Int {
        let result = try await self.query(
            """
            SELECT (SELECT count(*) FROM (SELECT FROM muster.push_delivery LIMIT \(limit)) d)
                + (SELECT count(*) FROM (SELECT FROM muster.push_outbox LIMIT \(limit)) o) AS count
            """
        )
        return Int(try result.onlyRow()?.int64("count") ?? 0)
    }

    /// Reads a leased push; nil when it was withdrawn, or leased by another server since.
    ///
    /// - Throws: `unavailable`.
    func leasedPush(_ lease: PushLease) async throws -> LeasedPush? {
        let result = try await self.query(
            """
            SELECT d.user_id, d.kind, d.number, d.group_id, d.at, d.due_at, d.expires_at, d.has_waited, d.without_body,
                t.id AS target_id, t.revision, t.secret, t.language,
                coalesce(n.payload, d.payload)::text AS content, n.seen_at IS NOT NULL AS is_seen,
                n.from_id, g.name AS group_name,
                d.group_id IS NULL OR m.user_id IS NOT NULL AS is_member,
                coalesce(p.state = 'online', false) AS is_online,
                s.kinds::text AS kinds, s.muted::text AS muted, s.quiet::text AS quiet,
                now()::timestamptz(3) AS now
            FROM muster.push_delivery d
                JOIN muster.push_target t ON t.id = d.target_id
                LEFT JOIN muster.notification n ON n.user_id = d.user_id AND n.number = d.number
                LEFT JOIN muster.grp g ON g.id = d.group_id
                LEFT JOIN muster.membership m ON m.group_id = d.group_id AND m.user_id = d.user_id
                LEFT JOIN muster.push_setting s ON s.user_id = d.user_id
                LEFT JOIN muster.presence p ON p.user_id = d.user_id
            WHERE d.id = $1 AND d.attempts = $2
            """,
            [.int64(lease.id), .int32(lease.attempt)]
        )
        guard let row = result.first else { return nil }
        let content = NotificationContent(
            kind: try row.text("kind"),
            group: try row.optionalInt64("group_id").map(GroupID.init),
            groupName: try row.optionalText("group_name"),
            from: try row.optionalInt64("from_id").map(UserID.init),
            at: try row.timestamp("at"),
            payload: NotificationPayload(try JSONDocument(Array((try row.optionalText("content") ?? "{}").utf8)).root)
        )
        return LeasedPush(
            lease: lease,
            target: try row.id("target_id"),
            user: try row.id("user_id"),
            revision: try row.int32("revision"),
            secret: try row.bytes("secret"),
            language: Language(tag: try row.text("language")),
            content: content,
            number: try row.optionalInt64("number"),
            dueAt: try row.timestamp("due_at"),
            expiresAt: try row.timestamp("expires_at"),
            isSeen: try row.bool("is_seen"),
            isMember: try row.bool("is_member"),
            isInForeground: try row.bool("is_online"),
            hasWaited: try row.bool("has_waited"),
            isWithoutBody: try row.bool("without_body"),
            settings: try row.pushSettings(),
            now: try row.timestamp("now")
        )
    }

    /// Ends a push that is not sent.
    ///
    /// - Throws: `unavailable`.
    func dropPush(_ lease: PushLease) async throws {
        try await self.query(Self.deletion, [.int64(lease.id), .int32(lease.attempt)])
    }

    /// Postpones a push of a user who has the app open.
    ///
    /// - Throws: `unavailable`.
    func postponePush(_ lease: PushLease, until due: Timestamp) async throws {
        try await self.query(
            """
            UPDATE muster.push_delivery SET due_at = $3, has_waited = true, leased_until = NULL
            WHERE id = $1 AND attempts = $2
            """,
            [.int64(lease.id), .int32(lease.attempt), .timestamptz(due)]
        )
    }

    /// Records what follows from the answer of a push service.
    ///
    /// - Parameters:
    ///   - push: the push that was sent.
    ///   - outcome: what follows.
    ///   - trouble: the failure as a word; nil when there was none.
    /// - Throws: `unavailable`.
    func finishPush(_ push: LeasedPush, _ outcome: PushOutcome, trouble: String?) async throws {
        let lease: [PostgresValue] = [.int64(push.lease.id), .int32(push.lease.attempt)]
        let target: [PostgresValue] = [.id(push.target), .optional(trouble), .int32(push.revision)]
        let statements: [PostgresStatement]
        switch outcome {
        case .sent:
            statements = [
                PostgresStatement(Self.deletion, lease),
                PostgresStatement(
                    """
                    UPDATE muster.push_target SET succeeded_at = now(), failing_since = NULL, refusals = 0, trouble = $2
                    WHERE id = $1 AND revision = $3
                    """,
                    target
                ),
            ]
        case .gone:
            // A device that has renewed its address since the lease is not gone; the push is sent there.
            statements = [
                PostgresStatement(
                    "DELETE FROM muster.push_target WHERE id = $1 AND revision = $3 AND $2::text IS NOT NULL",
                    target
                ),
                PostgresStatement(
                    "UPDATE muster.push_delivery SET due_at = now(), leased_until = NULL WHERE id = $1 AND attempts = $2",
                    lease
                ),
            ]
        case .retry(let delay, let isWithoutBody):
            statements = [
                PostgresStatement(
                    """
                    UPDATE muster.push_delivery SET leased_until = NULL, without_body = $4,
                        due_at = least(now() + $3 * interval '1 millisecond', expires_at)
                    WHERE id = $1 AND attempts = $2
                    """,
                    lease + [.float8(Double(delay)), .bool(isWithoutBody)]
                ),
                PostgresStatement(
                    """
                    UPDATE muster.push_target SET trouble = $2, failing_since = coalesce(failing_since, now()),
                        disabled_at = CASE WHEN failing_since <= now() - \(PushOutcome.longestFailure) * interval '1 millisecond'
                            THEN now() ELSE disabled_at END
                    WHERE id = $1 AND revision = $3
                    """,
                    target
                ),
                PostgresStatement(Self.clearing, [.id(push.target)]),
            ]
        case .failed(let isRefusal):
            statements = [
                PostgresStatement(Self.deletion, lease),
                PostgresStatement(
                    """
                    UPDATE muster.push_target SET trouble = $2, refusals = refusals + $4,
                        disabled_at = CASE WHEN refusals + $4 >= \(PushOutcome.mostRefusals) THEN now() ELSE disabled_at END
                    WHERE id = $1 AND revision = $3
                    """,
                    target + [.int32(isRefusal ? 1 : 0)]
                ),
                PostgresStatement(Self.clearing, [.id(push.target)]),
            ]
        }
        try await self.transaction { _ = try await $0.pipeline(statements) }
    }

    private static let deletion = "DELETE FROM muster.push_delivery WHERE id = $1 AND attempts = $2"

    /// Ends everything that waits for a target that is disabled.
    private static let clearing = """
        DELETE FROM muster.push_delivery d USING muster.push_target t
        WHERE d.target_id = $1 AND t.id = d.target_id AND t.disabled_at IS NOT NULL
        """
}
