package import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The default lifetime of an invite, in seconds.
    static let inviteLifetime = 7 * 86_400
    /// The maximum number of open invites of one group.
    static let openInvitesPerGroup = 200
    /// How many invites may be made for a group within an hour, so that short-lived ones do not pile up.
    static let invitesPerHour: Int64 = 1000

    /// Creates an invite to a group, for any member.
    ///
    /// A nil lifetime means a week, a nil `uses` means no limit.
    ///
    /// - Throws: `badRequest`, `notMember`, `conflict` when the group has too many invites, `unavailable`.
    package func createInvite(
        to group: GroupID,
        expiresIn seconds: Int? = nil,
        uses: Int? = nil,
        by user: UserID
    ) async throws -> Invite {
        let seconds = seconds ?? Self.inviteLifetime
        try require((1...31_536_000).contains(seconds), "expiresIn", "must be 1 second to 365 days")
        if let uses { try require((1...10_000).contains(uses), "uses", "must be 1 to 10000") }
        let now = self.now
        // 72 random bits: 12 characters.
        let invite = Invite(
            code: randomURLSafeText(byteCount: 9),
            group: group,
            expiresAt: now + Int64(seconds) * 1000,
            usesLeft: uses
        )
        return try await self.transaction { transaction in
            let role = try await transaction.lockGroup(group, as: user)
            switch role {
            case .owner, .member: break
            }
            try await Self.requireFewInvites(to: group, now: now, in: transaction)
            try await transaction.query(
                """
                INSERT INTO muster.invite (code, group_id, created_by, created_at, expires_at, uses_left, revision)
                SELECT $1, id, $3, $4, $5, $6, revision FROM muster.grp WHERE id = $2
                """,
                [
                    .text(invite.code), .id(group), .id(user), .timestamptz(now), .timestamptz(invite.expiresAt),
                    .optional(uses.map(Int32.init)),
                ]
            )
            return invite
        }
    }

    private static func requireFewInvites(
        to group: GroupID,
        now: Timestamp,
        in transaction: PostgresTransaction
    ) async throws {
        let result = try await transaction.query(
            """
            SELECT count(*) FILTER (
                    WHERE revoked_at IS NULL AND expires_at > $2 AND uses_left IS DISTINCT FROM 0
                ) AS open, count(*) FILTER (WHERE created_at > $3) AS recent
            FROM muster.invite WHERE group_id = $1
            """,
            [.id(group), .timestamptz(now), .timestamptz(now - 3_600_000)]
        )
        let open = try result.first?.int64("open") ?? 0
        let recent = try result.first?.int64("recent") ?? 0
        guard recent < self.invitesPerHour else {
            throw FrameError(
                .conflict,
                message: "A group can create at most \(self.invitesPerHour) invites per hour; try again later."
            )
        }
        guard open < self.openInvitesPerGroup else {
            throw FrameError(
                .conflict,
                message: "The group already has \(self.openInvitesPerGroup) open invites, which is the maximum."
            )
        }
    }

    /// Revokes an invite, for the owner of its group.
    ///
    /// - Throws: `notFound`, `notMember`, `forbidden`, `unavailable`.
    func revokeInvite(_ code: String, by user: UserID) async throws {
        let now = self.now
        try await self.transaction { transaction in
            let found = try await transaction.query(
                "SELECT group_id FROM muster.invite WHERE code = $1",
                [.text(code)]
            )
            guard let row = found.first else { throw Self.unknownInvite }
            let group: GroupID = try row.id("group_id")
            try await transaction.lockOwnGroup(group, as: user)
            try await transaction.query(
                "UPDATE muster.invite SET revoked_at = coalesce(revoked_at, $2) WHERE code = $1",
                [.text(code), .timestamptz(now)]
            )
        }
    }

    /// Returns a preview of the group of an invite.
    ///
    /// - Throws: `notFound`, `gone`, `unavailable`.
    func invitePreview(_ code: String) async throws -> InvitePreview {
        let result = try await self.query(
            """
            SELECT i.expires_at, i.uses_left, i.revoked_at, g.name AS group_name, a.id AS user_id, a.name, a.avatar,
                (SELECT count(*) FROM muster.membership m WHERE m.group_id = g.id) AS members
            FROM muster.invite i
                JOIN muster.grp g ON g.id = i.group_id
                JOIN muster.account a ON a.id = i.created_by
            WHERE i.code = $1
            """,
            [.text(code)]
        )
        guard let row = result.first else { throw Self.unknownInvite }
        try row.requireOpenInvite(now: self.now)
        return InvitePreview(
            groupName: try row.text("group_name"),
            memberCount: Int(try row.int64("members")),
            inviter: try row.profile(),
            expiresAt: try row.timestamp("expires_at")
        )
    }

    /// Adds a user to the group of an invite; for an existing member nothing changes and no use is counted.
    ///
    /// - Throws: `notFound`; `gone`, also when the invite does not readmit a former member; `conflict` when the group
    ///   is full or the user is in too many groups; `unavailable`.
    package func join(code: String, user: UserID) async throws -> Committed<Joining> {
        let now = self.now
        return try await self.transaction { transaction in
            // The locks are acquired in lock order; the deciding rows are read after all locks are held.
            let results = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR SHARE", [.id(user)]),
                PostgresStatement(
                    """
                    SELECT id FROM muster.grp
                    WHERE id = (SELECT group_id FROM muster.invite WHERE code = $1) FOR NO KEY UPDATE
                    """,
                    [.text(code)]
                ),
                PostgresStatement("SELECT * FROM muster.invite WHERE code = $1 FOR UPDATE", [.text(code)]),
                PostgresStatement(
                    """
                    SELECT count(*) AS members, count(*) FILTER (WHERE user_id = $2) AS own FROM muster.membership
                    WHERE group_id = (SELECT group_id FROM muster.invite WHERE code = $1)
                    """,
                    [.text(code), .id(user)]
                ),
                PostgresStatement(Self.membershipCountSQL, [.id(user)]),
                PostgresStatement(Self.mayComeBackSQL, [.text(code), .id(user)]),
            ])
            guard results[0].rowCount == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
            guard let invite = results[2].first, let counts = results[3].first else { throw Self.unknownInvite }
            let (group, members, isMember) = (
                GroupID(try invite.int64("group_id")), try counts.int64("members"), try counts.int64("own") > 0
            )
            if isMember {
                let current = try await transaction.query(GroupSnapshot.selection, [.ids([group])])
                let group = try Self.only(try GroupSnapshot.read(current))
                return Committed(Joining(group: group, wasMember: true), [.group(group)])
            }
            try invite.requireOpenInvite(now: now)
            let mayComeBack = try results[5].first?.bool("may_come_back") ?? true
            guard mayComeBack else {
                throw FrameError(
                    .gone,
                    message:
                        "This invite cannot readmit you; ask another member, or the owner after a removal, for a new one."
                )
            }
            try Self.requireRoom(in: results[4], beyond: 1)
            guard members < Self.largestGroup else {
                throw FrameError(
                    .conflict,
                    message: "The group already has \(Self.largestGroup) members, which is the maximum."
                )
            }
            try await transaction.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.membership (group_id, user_id, visible_since, joined_at) VALUES ($1, $2, $3, $3)
                    """,
                    [.id(group), .id(user), .timestamptz(now)]
                ),
                PostgresStatement("UPDATE muster.invite SET uses_left = uses_left - 1 WHERE code = $1", [.text(code)]),
            ])
            let joined = try Self.only(try await transaction.bump([group]))
            return Committed(Joining(group: joined, wasMember: false), [.group(joined)])
        }
    }

    /// Whether the invite `$1` readmits the former member `$2`; no row for a user who was never a member.
    ///
    /// A removed user needs an invite that the owner created after the removal. A user who left needs an invite from
    /// another member.
    private static let mayComeBackSQL = """
        SELECT CASE WHEN d.is_removed
            THEN i.revision > d.revision AND EXISTS (SELECT FROM muster.membership m
                WHERE m.group_id = i.group_id AND m.user_id = i.created_by AND m.role = 'owner')
            ELSE i.created_by <> d.user_id END AS may_come_back
        FROM muster.invite i JOIN muster.departure d ON d.group_id = i.group_id AND d.user_id = $2
        WHERE i.code = $1
        """

    private static var unknownInvite: FrameError { FrameError(.notFound, message: "There is no such invite.") }
}

extension PostgresRow {
    /// Throws `gone` unless the invite is valid.
    fileprivate func requireOpenInvite(now: Timestamp) throws {
        let (isRevoked, expiresAt, usesLeft) = (
            try !self.isNull("revoked_at"), try self.timestamp("expires_at"), try self.optionalInt32("uses_left")
        )
        if isRevoked { throw FrameError(.gone, message: "The invite was revoked.") }
        if expiresAt <= now { throw FrameError(.gone, message: "The invite has expired.") }
        if usesLeft == 0 { throw FrameError(.gone, message: "The invite was used up.") }
    }
}
