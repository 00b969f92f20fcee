import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The maximum number of users that one user can block.
    static let mostBlocked = 1_000

    /// Blocks a user, and withdraws unseen notifications from that user; blocking again is allowed.
    ///
    /// - Parameters:
    ///   - other: the user to block.
    ///   - invite: the code of an invite of that user, whose preview the caller has seen.
    ///   - user: the caller.
    /// - Returns: the withdrawn notifications.
    /// - Throws: `badRequest` for oneself; `notFound` when there is no such user, or none visible to the caller;
    ///   `conflict` at the limit of blocked users; `unavailable`.
    func block(
        _ other: UserID,
        seenIn invite: String? = nil,
        by user: UserID
    ) async throws -> Committed<[NotificationNumber]> {
        try require(other != user, "user", "must be another user")
        let now = self.now
        return try await self.transaction {
            (transaction) async throws -> Committed<[NotificationNumber]> in
            let results = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR NO KEY UPDATE", [.id(user)]),
                PostgresStatement(VisibilityCondition.visiblePerson, [.id(other), .id(user), .text(invite ?? "")]),
                PostgresStatement("SELECT count(*) AS blocked FROM muster.block WHERE user_id = $1", [.id(user)]),
            ])
            guard results[1].rowCount == 1 else { throw FrameError(.notFound, message: "There is no such user.") }
            let count = try results[2].first?.int64("blocked") ?? 0
            guard count < Self.mostBlocked else {
                throw FrameError(.conflict, message: "You block the maximum number of users.")
            }
            let stored = try await transaction.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.block (user_id, blocked_id, at) VALUES ($1, $2, $3)
                    ON CONFLICT (user_id, blocked_id) DO NOTHING
                    """,
                    [.id(user), .id(other), .timestamptz(now)]
                ),
                PostgresStatement(
                    """
                    DELETE FROM muster.notification
                    WHERE seen_at IS NULL AND (user_id = $1 AND from_id = $2
                            AND kind IN ('mention', 'wait_for_me', 'place_arrived', 'place_left')
                        OR user_id = $2 AND from_id = $1 AND kind IN ('place_arrived', 'place_left'))
                    RETURNING user_id, number
                    """,
                    [.id(user), .id(other)]
                ),
            ])
            let withdrawn = try stored[1].map { row in
                NotificationNumber(user: try row.id("user_id"), number: try row.int64("number"))
            }
            let blocked = Change.blocked(user, other: other, true)
            return Committed(
                withdrawn,
                withdrawn.isEmpty ? [blocked] : [blocked, .published(Publication(withdrawn: withdrawn))]
            )
        }
    }

    /// Unblocks a user.
    ///
    /// - Throws: `unavailable`.
    func unblock(_ other: UserID, by user: UserID) async throws -> Committed<Void> {
        try await self.change(
            "DELETE FROM muster.block WHERE user_id = $1 AND blocked_id = $2",
            [.id(user), .id(other)]
        )
        return Committed((), [.blocked(user, other: other, false)])
    }

    /// The users that a user blocks, by name.
    ///
    /// - Throws: `unavailable`.
    func blocked(by user: UserID) async throws -> [UserProfile] {
        let result = try await self.query(
            """
            SELECT a.id AS user_id, a.name, a.avatar FROM muster.block k JOIN muster.account a ON a.id = k.blocked_id
            WHERE k.user_id = $1 ORDER BY a.name, a.id
            """,
            [.id(user)]
        )
        return try result.map { row in try row.profile() }
    }

    /// Stores a report with the reported text as it is now.
    ///
    /// - Throws: `badRequest`; `notFound` when there is no such thing, or none visible to the caller; `unavailable`.
    func report(_ report: Report, by user: UserID) async throws {
        let reason = try Validation.text(report.reason, Report.reasonRule, field: "reason")
        let now = self.now
        let id: ReportID = self.nextID(at: now)
        let found: String
        switch report.what {
        case .message:
            try require(report.room != nil, "room", "is required")
            found = """
                SELECT m.author_id, m.text FROM muster.message m
                    JOIN muster.room_member b ON b.room_id = m.room_id AND b.user_id = $2 AND m.seq >= b.from_seq
                WHERE m.room_id = $5 AND m.seq = $1
                """
        case .spot: found = "SELECT s.author_id, s.comment FROM muster.spot s WHERE s.id = $1"
        case .pin: found = "SELECT p.user_id, p.text FROM muster.pin p WHERE p.id = $1"
        case .photo: found = VisibilityCondition.visiblePhoto
        case .user: found = VisibilityCondition.visiblePerson
        case .event:
            found = """
                SELECT e.host_id, concat_ws(E'\n', e.title, e.place, e.text) FROM muster.event e
                WHERE e.id = $1 AND \(PostgresTransaction.mayFindEvent("$2"))
                """
        }
        let result = try await self.query(
            """
            INSERT INTO muster.report (id, user_id, what, subject_id, room_id, about_id, text, reason, at)
            SELECT $6, $2, $4, $1, $5, x.about_id, x.text, $7, $8 FROM (\(found)) AS x(about_id, text)
            """,
            [
                .int64(report.subject), .id(user), .text(report.invite ?? ""), .text(report.what.rawValue),
                .optional(report.room?.rawValue), .id(id), .text(reason), .timestamptz(now),
            ]
        )
        guard result.affectedRows == 1 else {
            throw FrameError(.notFound, message: "There is no such subject of a report.")
        }
    }
}
