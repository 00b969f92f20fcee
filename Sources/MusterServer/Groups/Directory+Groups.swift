package import MusterCore
package import MusterWire
import Postgres

extension Directory {
    /// The maximum number of members of a group.
    static let largestGroup = 250
    /// The maximum number of groups of a user.
    static let groupsPerPerson = 100

    /// Creates a group with its owner as the only member.
    ///
    /// - Throws: `badRequest`; `notFound` when there is no such account; `conflict` when the user is in too many
    ///   groups; `unavailable`.
    package func createGroup(
        name: String,
        settings: GroupSettingsPatch = GroupSettingsPatch(),
        by user: UserID
    ) async throws -> Committed<GroupSnapshot> {
        let name = try Validation.text(name, .displayName, field: "name")
        try Self.check(settings)
        let settings = settings.applied(to: GroupSettings())
        let now = self.now
        let group: GroupID = self.nextID(at: now)
        return try await self.transaction { transaction in
            let results = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR SHARE", [.id(user)]),
                PostgresStatement(
                    """
                    INSERT INTO muster.grp (id, name, radius, dwell, max_absent, cooldown, created_at)
                    VALUES ($1, $2, $3, $4, $5, $6, $7)
                    """,
                    [.id(group), .text(name)] + Self.parameters(settings) + [.timestamptz(now)]
                ),
                PostgresStatement(
                    """
                    INSERT INTO muster.membership (group_id, user_id, role, visible_since, joined_at)
                    SELECT $1, id, 'owner', $3, $3 FROM muster.account WHERE id = $2
                    """,
                    [.id(group), .id(user), .timestamptz(now)]
                ),
                PostgresStatement(GroupSnapshot.selection, [.ids([group])]),
                PostgresStatement(Self.membershipCountSQL, [.id(user)]),
            ])
            guard results[0].rowCount == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
            try Self.requireRoom(in: results[4], beyond: 0)
            return Committed(try Self.only(try GroupSnapshot.read(results[3])))
        }
    }

    static let membershipCountSQL = "SELECT count(*) AS groups FROM muster.membership WHERE user_id = $1"

    /// Throws `conflict` when `more` further groups would exceed a user's limit.
    static func requireRoom(in counted: PostgresResult, beyond more: Int64) throws {
        let count = try counted.first?.int64("groups") ?? 0
        guard count + more <= self.groupsPerPerson else {
            throw FrameError(.conflict, message: "A user can be in at most \(self.groupsPerPerson) groups.")
        }
    }

    /// A user's groups, oldest first.
    ///
    /// - Throws: `unavailable`.
    func groups(of user: UserID) async throws -> [Welcome.Group] {
        let result = try await self.query(
            """
            SELECT g.id, g.name, m.role, g.radius, g.dwell, g.max_absent, g.cooldown
            FROM muster.membership m JOIN muster.grp g ON g.id = m.group_id
            WHERE m.user_id = $1 ORDER BY g.id
            """,
            [.id(user)]
        )
        return try result.map { row in
            Welcome.Group(
                id: try row.id("id"),
                name: try row.text("name"),
                role: try row.choice("role"),
                settings: try row.settings()
            )
        }
    }

    /// Renames a group or changes its settings, for its owner.
    ///
    /// - Throws: `badRequest`, `notMember`, `forbidden`, `unavailable`.
    func updateGroup(
        _ group: GroupID,
        name: String? = nil,
        settings patch: GroupSettingsPatch = GroupSettingsPatch(),
        by user: UserID
    ) async throws -> Committed<GroupSnapshot> {
        let name = try name.map { name in
            try Validation.text(name, .displayName, field: "name")
        }
        try Self.check(patch)
        return try await self.transaction { transaction in
            try await transaction.lockOwnGroup(group, as: user)
            try await transaction.query(
                """
                UPDATE muster.grp SET name = coalesce($2::text, name), radius = coalesce($3::float8, radius),
                    dwell = coalesce($4::int, dwell), max_absent = coalesce($5::int, max_absent),
                    cooldown = coalesce($6::int, cooldown)
                WHERE id = $1
                """,
                [
                    .id(group), .optional(name), .optional(patch.radius), .optional(patch.dwell.map(Int32.init)),
                    .optional(patch.maxAbsent.map(Int32.init)), .optional(patch.cooldown.map(Int32.init)),
                ]
            )
            return Committed(try Self.only(try await transaction.bump([group])))
        }
    }

    /// Deletes a group, for its owner.
    ///
    /// - Throws: `notMember`, `forbidden`, `unavailable`.
    /// - Returns: the group without members.
    func deleteGroup(_ group: GroupID, by user: UserID) async throws -> Committed<GroupSnapshot> {
        try await self.transaction { transaction in
            try await transaction.lockOwnGroup(group, as: user)
            try await transaction.query("DELETE FROM muster.membership WHERE group_id = $1", [.id(group)])
            return Committed(try Self.only(try await transaction.completeRemoval([group])))
        }
    }

    /// Reads a group for the world.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func loadGroup(_ group: GroupID) async throws -> GroupSnapshot {
        let result = try await self.query(GroupSnapshot.selection, [.ids([group])])
        var snapshot = try Self.only(try GroupSnapshot.read(result))
        try await self.findUsablePositions(of: &snapshot)
        try await self.findArrivals(of: &snapshot)
        return snapshot
    }

    /// The revisions of groups in ascending order of id, a page at a time.
    ///
    /// - Parameters:
    ///   - last: the last group of the previous page; nil for the first page.
    ///   - limit: the maximum number of groups.
    /// - Returns: the groups up to an id, which is the highest possible id on the last page.
    /// - Throws: `unavailable`.
    func groupRevisions(
        after last: GroupID? = nil,
        limit: Int = 10_000
    ) async throws -> GroupRevisions {
        let first = last.map { $0.rawValue + 1 } ?? 1
        let result = try await self.query(
            "SELECT id, revision FROM muster.grp WHERE id >= $1 ORDER BY id LIMIT $2",
            [.int64(first), .int64(Int64(limit))]
        )
        let stored = try result.map { row in
            GroupRevisions.Stored(group: try row.id("id"), revision: try row.int64("revision"))
        }
        let end = stored.count < limit ? GroupID(Int64.max) : stored[limit - 1].group
        return GroupRevisions(first: GroupID(first), last: end, stored: stored)
    }

    /// Requires that a user is a member of a group.
    ///
    /// - Throws: `notMember`, also when the group does not exist; `unavailable`.
    func requireMember(_ user: UserID, of group: GroupID) async throws {
        let found = try await self.query(
            "SELECT 1 AS one FROM muster.membership WHERE group_id = $1 AND user_id = $2",
            [.id(group), .id(user)]
        )
        guard found.rowCount == 1 else { throw PostgresTransaction.notMember }
    }

    /// The groups with an open gathering, as of the journal's last commit.
    ///
    /// Call it only after the journal is ready.
    ///
    /// - Throws: `unavailable`.
    func openGatherings() async throws -> [GroupID] {
        let result = try await self.query(
            "SELECT DISTINCT group_id FROM muster.gathering WHERE ended_at IS NULL ORDER BY group_id"
        )
        return try result.map { row in try row.id("group_id") }
    }

    /// The only group in the result of a change.
    static func only(_ groups: [GroupSnapshot]) throws -> GroupSnapshot {
        guard let group = groups.first else { throw FrameError(.notFound, message: "There is no such group.") }
        return group
    }

    private static func check(_ patch: GroupSettingsPatch) throws {
        guard let field = patch.outOfRange else { return }
        throw FrameError(.badRequest, message: "settings.\(field) is out of range.", field: "settings.\(field)")
    }

    private static func parameters(_ settings: GroupSettings) -> [PostgresValue] {
        [
            .float8(settings.radius), .int32(Int32(settings.dwell)), .int32(Int32(settings.maxAbsent)),
            .int32(Int32(settings.cooldown)),
        ]
    }
}
