import MusterCore
import MusterWire
import Postgres

extension PostgresTransaction {
    /// Locks every group of a user, in lock order.
    func lockGroups(of user: UserID) async throws -> [GroupID] {
        let result = try await self.query(
            """
            SELECT g.id FROM muster.grp g
            WHERE g.id IN (SELECT group_id FROM muster.membership WHERE user_id = $1)
            ORDER BY g.id FOR NO KEY UPDATE
            """,
            [.id(user)]
        )
        return try result.map { row in try row.id("id") }
    }

    /// Locks a group and returns the role of `user`.
    ///
    /// The role is read by a separate statement after the lock is held, so that it is current.
    ///
    /// - Throws: `notMember`, also when the group does not exist.
    func lockGroup(_ group: GroupID, as user: UserID) async throws -> GroupSnapshot.Role {
        let results = try await self.pipeline([
            PostgresStatement("SELECT id FROM muster.grp WHERE id = $1 FOR NO KEY UPDATE", [.id(group)]),
            PostgresStatement(
                "SELECT role FROM muster.membership WHERE group_id = $1 AND user_id = $2",
                [.id(group), .id(user)]
            ),
        ])
        guard let row = results[1].first else { throw Self.notMember }
        return try row.choice("role")
    }

    /// Locks a group for its owner.
    ///
    /// - Throws: `notMember`, `forbidden`.
    func lockOwnGroup(_ group: GroupID, as user: UserID) async throws {
        switch try await self.lockGroup(group, as: user) {
        case .owner: break
        case .member: throw FrameError(.forbidden, message: "Only the owner of the group may do this.")
        }
    }

    static var notMember: FrameError { FrameError(.notMember, message: "You are not a member of this group.") }

    /// Raises the revisions of locked groups and reads the groups.
    func bump(_ groups: [GroupID]) async throws -> [GroupSnapshot] {
        guard !groups.isEmpty else { return [] }
        let results = try await self.pipeline([
            PostgresStatement("UPDATE muster.grp SET revision = revision + 1 WHERE id = ANY($1)", [.ids(groups)]),
            PostgresStatement(GroupSnapshot.selection, [.ids(groups)]),
        ])
        return try GroupSnapshot.read(results[1])
    }

    /// Completes the removal of members from locked groups.
    ///
    /// Ownership passes to the member who joined first, revisions rise, and groups without members are deleted.
    ///
    /// - Returns: all of `groups`; deleted ones without members.
    func completeRemoval(_ groups: [GroupID]) async throws -> [GroupSnapshot] {
        guard !groups.isEmpty else { return [] }
        let results = try await self.pipeline([
            PostgresStatement(
                """
                UPDATE muster.membership m SET role = 'owner'
                FROM (
                    SELECT DISTINCT ON (group_id) group_id, user_id FROM muster.membership
                    WHERE group_id = ANY($1) ORDER BY group_id, (role = 'owner') DESC, joined_at, user_id
                ) first
                WHERE m.group_id = first.group_id AND m.user_id = first.user_id AND m.role <> 'owner'
                """,
                [.ids(groups)]
            ),
            PostgresStatement("UPDATE muster.grp SET revision = revision + 1 WHERE id = ANY($1)", [.ids(groups)]),
            PostgresStatement(GroupSnapshot.selection, [.ids(groups)]),
            PostgresStatement(
                """
                DELETE FROM muster.grp g WHERE id = ANY($1)
                    AND NOT EXISTS (SELECT FROM muster.membership m WHERE m.group_id = g.id)
                """,
                [.ids(groups)]
            ),
        ])
        return try GroupSnapshot.read(results[2])
    }
}
