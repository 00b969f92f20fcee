import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Removes a user from a group at their own request; the group is deleted with its last member.
    ///
    /// - Throws: `notMember`, `unavailable`.
    func leave(_ group: GroupID, user: UserID) async throws -> Committed<Departure> {
        let now = self.now
        return try await self.transaction { transaction in
            _ = try await transaction.lockGroup(group, as: user)
            let answered = try await transaction.plansAnswered(by: user, in: [group])
            try await transaction.removeMember(user, from: group, at: now)
            return Committed(
                Departure(
                    group: try Self.only(try await transaction.completeRemoval([group])),
                    plans: try await transaction.answers(to: answered)
                )
            )
        }
    }

    /// Removes a member from a group, for its owner, and revokes the member's invites, which would readmit the member.
    ///
    /// - Throws: `notMember`; `forbidden`; `notFound` when the user is not a member; `badRequest` for oneself;
    ///   `unavailable`.
    func removeMember(
        _ member: UserID,
        from group: GroupID,
        by user: UserID
    ) async throws -> Committed<Departure> {
        try require(member != user, "user", "must be another user; to leave the group, use group.leave")
        let now = self.now
        return try await self.transaction { transaction in
            try await transaction.lockOwnGroup(group, as: user)
            let answered = try await transaction.plansAnswered(by: member, in: [group])
            // The room's system message then says that the member was removed.
            try await transaction.query("SELECT set_config('muster.removes_members', 'on', true)")
            guard try await transaction.removeMember(member, from: group, at: now) else {
                throw FrameError(.notFound, message: "This user is not a member of the group.")
            }
            try await transaction.query(
                """
                UPDATE muster.invite SET revoked_at = $3
                WHERE group_id = $1 AND created_by = $2 AND revoked_at IS NULL
                """,
                [.id(group), .id(member), .timestamptz(now)]
            )
            return Committed(
                Departure(
                    group: try Self.only(try await transaction.completeRemoval([group])),
                    plans: try await transaction.answers(to: answered)
                )
            )
        }
    }

    /// Creates a change of the sharing mode in one group, or in all groups when nil, without storing it.
    ///
    /// From `until` on the mode is `then`; nil means no end.
    ///
    /// - Throws: `badRequest`.
    func sharingChange(
        _ mode: Sharing.Mode,
        until: Timestamp? = nil,
        then: Sharing.After = .live,
        group: GroupID? = nil,
        of user: UserID
    ) throws -> SharingChange {
        let now = self.now
        if let until { try require(until > now, "until", "must be in the future") }
        return SharingChange(
            id: self.nextID(at: now),
            user: user,
            group: group,
            mode: mode,
            until: until,
            then: then
        )
    }

    /// Creates a change of the permission for share pictures, without storing it.
    func picturesChange(_ isAllowed: Bool, group: GroupID? = nil, of user: UserID) -> SharingChange {
        SharingChange(id: self.nextID(at: self.now), user: user, group: group, pictures: isAllowed)
    }

    /// Whether a user's sharing is paused now in a group, or in any group when nil.
    ///
    /// - Throws: `unavailable`.
    func isPaused(_ user: UserID, in group: GroupID?) async throws -> Bool {
        let result = try await self.query(
            """
            SELECT 1 AS one FROM muster.membership
            WHERE user_id = $1 AND ($2::bigint IS NULL OR group_id = $2)
                AND muster.sharing_at(sharing, sharing_until, sharing_then, $3) = 'paused' LIMIT 1
            """,
            [.id(user), .optional(group?.rawValue), .timestamptz(self.now)]
        )
        return !result.isEmpty
    }

    /// Stores changes of one user's sharing in one group, or in all groups; a later stored change of the same setting
    /// has priority.
    ///
    /// Resuming after a pause hides all fixes from before.
    ///
    /// - Throws: `notMember`, `unavailable`.
    /// - Returns: the new state of the affected groups.
    func setSharing(_ changes: SharingChange...) async throws -> [GroupSnapshot] {
        try await self.setSharing(changes)
    }

    /// The same for an array of changes.
    func setSharing(_ changes: [SharingChange]) async throws -> [GroupSnapshot] {
        guard let first = changes.first else { return [] }
        let (now, user) = (self.now, first.user)
        return try await self.transaction { transaction in
            let groups: [GroupID]
            if let group = first.group {
                _ = try await transaction.lockGroup(group, as: user)
                groups = [group]
            } else {
                groups = try await transaction.lockGroups(of: user)
            }
            for change in changes { try await transaction.store(change, in: groups, at: now) }
            return try await transaction.bump(groups)
        }
    }
}

extension PostgresTransaction {
    /// Stores a change of sharing in locked groups.
    fileprivate func store(
        _ change: SharingChange,
        in groups: [GroupID],
        at now: Timestamp
    ) async throws {
        switch change.choice {
        case .mode(let mode, let until, let then):
            // An expired pause ended at its end time; a pause that is ended by this change ends now.
            try await self.query(
                """
                UPDATE muster.membership SET
                    visible_since = CASE
                        WHEN muster.sharing_at(sharing, sharing_until, sharing_then, $5) <> 'paused'
                            THEN muster.shown_since(sharing, sharing_until, sharing_then, visible_since, $5)
                        WHEN $3::text <> 'paused' THEN greatest(visible_since, $5)
                        ELSE visible_since
                    END,
                    sharing = $3::text::muster.sharing_mode, sharing_until = $4::timestamptz,
                    sharing_then = $7::text::muster.sharing_mode, sharing_word = $6
                WHERE group_id = ANY($1) AND user_id = $2 AND sharing_word < $6
                """,
                [
                    .ids(groups), .id(change.user), .text(mode.rawValue),
                    .optionalTimestamptz(unixMilliseconds: until?.milliseconds), .timestamptz(now), .id(change.id),
                    .text(then.rawValue),
                ]
            )
        case .pictures(let isAllowed):
            try await self.query(
                """
                UPDATE muster.membership SET pictures = $3, pictures_word = $4
                WHERE group_id = ANY($1) AND user_id = $2 AND pictures_word < $4
                """,
                [.ids(groups), .id(change.user), .bool(isAllowed), .id(change.id)]
            )
        }
    }
}

extension PostgresTransaction {
    /// Removes a member from a locked group, with the member's unseen notifications about it.
    ///
    /// - Returns: whether the user was a member.
    @discardableResult
    func removeMember(
        _ member: UserID,
        from group: GroupID,
        at now: Timestamp
    ) async throws -> Bool {
        let results = try await self.pipeline([
            PostgresStatement(
                "SELECT set_config('muster.moment', $1::timestamptz::text, true)",
                [.timestamptz(now)]
            ),
            PostgresStatement(
                "DELETE FROM muster.membership WHERE group_id = $1 AND user_id = $2",
                [.id(group), .id(member)]
            ),
            PostgresStatement(
                "DELETE FROM muster.notification WHERE group_id = $1 AND user_id = $2 AND seen_at IS NULL",
                [.id(group), .id(member)]
            ),
        ])
        return results[1].affectedRows == 1
    }
}
