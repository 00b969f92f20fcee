import MusterCore
import MusterWire
import Postgres

/// A rendered share picture, ready to be stored.
struct ShareDraft: Sendable {
    var group: GroupID
    /// The group's revision at the time of rendering.
    var revision: Int64
    var maker: UserID
    /// The users on the picture, with the precision of their positions; none is `paused`.
    var shown: [(user: UserID, mode: Sharing.Mode)]
    var isNamed: Bool
    var png: [UInt8]
    /// The lifetime in seconds.
    var lifetime: Int
}

extension Directory {
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 86_400_000

    /// Requires that a user may create a picture of a group now.
    ///
    /// - Throws: `notMember`, `rateLimited`, `unavailable`.
    func requirePictureMaker(_ user: UserID, of group: GroupID) async throws {
        try await self.requireMember(user, of: group)
        let now = self.now
        try Self.requireRate(try await self.query(Self.rateSQL, Self.rate(user, group, at: now)), at: now)
    }

    /// Stores a picture and posts it in the group's room, unless the group has changed since the rendering.
    ///
    /// - Throws: `notMember`, `rateLimited`, `unavailable`.
    /// - Returns: the picture; nil when it must be rendered again, because the visibility of its users may have
    ///   changed.
    func addShare(_ draft: ShareDraft) async throws -> Committed<Share>? {
        let now = self.now
        let id: ShareID = self.nextID(at: now)
        let seed = randomBytes(count: 16)
        let code = ShareCode(seed: seed, key: self.configuration.addressKey)
        let shown = draft.shown.sorted { $0.user < $1.user }
        return try await self.transaction { transaction in
            // Accounts are locked before the group, in the same order as by the deletion of an account.
            try await transaction.query(
                "SELECT id FROM muster.account WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE",
                [.ids(shown.map(\.user) + [draft.maker])]
            )
            _ = try await transaction.lockGroup(draft.group, as: draft.maker)
            let before = try await transaction.pipeline([
                PostgresStatement("SELECT revision FROM muster.grp WHERE id = $1", [.id(draft.group)]),
                PostgresStatement(Self.rateSQL, Self.rate(draft.maker, draft.group, at: now)),
                PostgresStatement(
                    "SELECT id AS user_id, name, avatar FROM muster.account WHERE id = $1",
                    [.id(draft.maker)]
                ),
                // A picture is over when one of them is to be hidden. An end by itself does not change the revision.
                PostgresStatement(
                    """
                    SELECT min(sharing_until) FILTER (WHERE sharing_until > $3) AS hidden_at,
                        coalesce(bool_or(sharing_until <= $3 AND user_id = ANY ($4)), false) AS is_over
                    FROM muster.membership
                    WHERE group_id = $1 AND user_id = ANY ($2) AND sharing_then = 'paused'
                    """,
                    [
                        .id(draft.group), .ids(shown.map(\.user) + [draft.maker]), .timestamptz(now),
                        .ids(shown.map(\.user)),
                    ]
                ),
            ])
            try Self.requireRate(before[1], at: now)
            let standing = (
                revision: try before[0].first?.int64("revision"),
                maker: try before[2].first.map { row in try row.profile() },
                hiddenAt: try before[3].first?.optionalTimestamp("hidden_at"),
                isOver: try before[3].first?.bool("is_over") ?? false
            )
            guard standing.revision == draft.revision, !standing.isOver, let maker = standing.maker else { return nil }
            let end = min(now + Int64(draft.lifetime) * 1000, standing.hiddenAt ?? .never)
            try await transaction.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.share (id, group_id, maker_id, code_seed, code_hash, png, named, created_at, expires_at)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                    """,
                    [
                        .id(id), .id(draft.group), .id(draft.maker), .bytea(seed), .bytea(code.hash), .bytea(draft.png),
                        .bool(draft.isNamed), .timestamptz(now), .timestamptz(end),
                    ]
                ),
                PostgresStatement(
                    """
                    INSERT INTO muster.share_member (share_id, user_id, shown_as)
                    SELECT $1, u.id, u.mode::muster.sharing_mode FROM unnest($2::bigint[], $3::text[]) AS u(id, mode)
                    """,
                    [.id(id), .ids(shown.map(\.user)), .textArray(shown.map(\.mode.rawValue))]
                ),
                PostgresStatement(
                    """
                    SELECT muster.say_in_room($1, $2, $3, $4, jsonb_build_object('event', 'picture_shared',
                        'share', $5::bigint::text, 'shown', to_jsonb($6::bigint[]::text[]), 'expiresAt', $7::bigint)) AS seq
                    """,
                    [
                        .id(draft.group.room), .id(draft.maker), .text("s:\(id)"), .timestamptz(now), .id(id),
                        .ids(shown.map(\.user)), .int64(end.milliseconds),
                    ]
                ),
            ])
            let share = Share(
                id: id,
                group: draft.group,
                maker: maker,
                shown: shown.map(\.user),
                isNamed: draft.isNamed,
                code: code.text,
                createdAt: now,
                expiresAt: end
            )
            return Committed(share, [.rooms([draft.group.room])])
        }
    }

    /// The visible pictures of a group, newest first, for its members.
    ///
    /// - Throws: `notMember`, `unavailable`.
    func shares(of group: GroupID, for user: UserID) async throws -> [Share] {
        try await self.requireMember(user, of: group)
        let result = try await self.query(
            """
            SELECT s.id, s.group_id, s.named, s.code_seed, s.code_hash, s.created_at, s.expires_at,
                a.id AS user_id, a.name, a.avatar,
                ARRAY(SELECT m.user_id FROM muster.share_member m WHERE m.share_id = s.id ORDER BY m.user_id) AS shown
            FROM muster.share s JOIN muster.account a ON a.id = s.maker_id
            WHERE s.group_id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2
            ORDER BY s.id DESC LIMIT 1000
            """,
            [.id(group), .timestamptz(self.now)]
        )
        return try result.map { row in
            let code = ShareCode(seed: try row.bytes("code_seed"), key: self.configuration.addressKey)
            return Share(
                id: try row.id("id"),
                group: try row.id("group_id"),
                maker: try row.profile(),
                shown: try row.int64Array("shown").compactMap { $0.map(UserID.init) },
                isNamed: try row.bool("named"),
                code: try row.bytes("code_hash") == code.hash ? code.text : nil,
                createdAt: try row.timestamp("created_at"),
                expiresAt: try row.timestamp("expires_at")
            )
        }
    }

    /// Revokes a picture, for its creator, the users on it, and the owner of its group.
    ///
    /// - Throws: `notFound` for non-members, `forbidden` for other members, `gone` when it has expired or was revoked,
    ///   `unavailable`.
    func revokeShare(_ id: ShareID, by user: UserID) async throws {
        let now = self.now
        try await self.transaction { transaction in
            let found = try await transaction.query(
                """
                SELECT s.revoked_at IS NULL AND s.expires_at > $3 AS open,
                    s.maker_id IS NOT DISTINCT FROM $2 OR b.role = 'owner' OR EXISTS (
                        SELECT FROM muster.share_member m WHERE m.share_id = s.id AND m.user_id = $2) AS may
                FROM muster.share s JOIN muster.membership b ON b.group_id = s.group_id AND b.user_id = $2
                WHERE s.id = $1 FOR NO KEY UPDATE OF s
                """,
                [.id(id), .id(user), .timestamptz(now)]
            )
            guard let row = found.first else { throw FrameError(.notFound, message: "There is no such picture.") }
            let (isOpen, may) = (try row.bool("open"), try row.bool("may"))
            guard may else {
                throw FrameError(
                    .forbidden,
                    message: "Only its author, the people shown on it and the group's owner may withdraw it."
                )
            }
            guard isOpen else {
                throw FrameError(.gone, message: "This picture has already expired or been withdrawn.")
            }
            try await transaction.query("SELECT muster.revoke_shares($1)", [.ids([id])])
        }
    }

    /// The avatars of users that have one, as JPEGs of 96 px.
    ///
    /// - Throws: `unavailable`.
    func faces(of users: [UserID]) async throws -> [UserID: [UInt8]] {
        let result = try await self.query(
            """
            SELECT u.face_of, p.thumbnail FROM muster.photo_use u JOIN muster.photo p ON p.id = u.photo_id
            WHERE u.face_of = ANY ($1)
            """,
            [.ids(users)]
        )
        var faces: [UserID: [UInt8]] = [:]
        for row in result { faces[try row.id("face_of")] = try row.bytes("thumbnail") }
        return faces
    }

    /// Deletes the files of expired pictures, and their rows after 30 days.
    func sweepShares(at now: Timestamp) async throws {
        try await self.query(
            "UPDATE muster.share SET png = NULL WHERE expires_at <= $1 AND png IS NOT NULL",
            [.timestamptz(now)]
        )
        try await self.query(
            "DELETE FROM muster.share WHERE least(expires_at, revoked_at) <= $1",
            [.timestamptz(now - 30 * Self.day)]
        )
    }

    // MARK: - Rate limit

    /// The oldest of a user's last `mostPerHour` pictures of a group within the hour, if there are that many.
    private static let rateSQL = """
        SELECT created_at FROM muster.share WHERE maker_id = $1 AND group_id = $2 AND created_at > $3
        ORDER BY created_at DESC OFFSET $4 LIMIT 1
        """

    private static func rate(_ user: UserID, _ group: GroupID, at now: Timestamp) -> [PostgresValue] {
        [.id(user), .id(group), .timestamptz(now - self.hour), .int64(Int64(Share.mostPerHour - 1))]
    }

    private static func requireRate(_ result: PostgresResult, at now: Timestamp) throws {
        guard let row = result.first else { return }
        let oldest = try row.timestamp("created_at")
        throw FrameError(
            .rateLimited,
            message: "A user can make at most \(Share.mostPerHour) pictures of a group per hour.",
            retryAfter: max(1, oldest + self.hour - now)
        )
    }
}
