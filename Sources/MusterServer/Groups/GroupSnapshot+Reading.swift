import Foundation
import MusterCore
import Postgres

extension GroupSnapshot {
    /// Selects the groups `$1` with all their members, one row per member, in one statement and therefore in one state.
    ///
    /// A group without members has one row, with NULL in the columns of a member. Only the first row of a group
    /// contains the gathering machine and the places.
    static let selection = """
        SELECT g.id AS group_id, g.revision, g.name AS group_name, g.radius, g.dwell, g.max_absent, g.cooldown,
            CASE WHEN row_number() OVER (PARTITION BY g.id ORDER BY m.joined_at, m.user_id) = 1 THEN s.state END AS machine,
            CASE WHEN row_number() OVER (PARTITION BY g.id ORDER BY m.joined_at, m.user_id) = 1
                THEN \(GroupPlace.column) END AS places,
            a.id AS user_id, a.name, a.avatar, a.last_notification, m.role, m.sharing, m.sharing_until, m.sharing_then, m.visible_since,
            m.pictures, m.joined_at, coalesce(e.state, 'offline') AS presence, e.last_seen, \(Directory.positionColumns),
            \(Directory.unseenColumn)
        FROM muster.grp g
            LEFT JOIN muster.gathering_state s ON s.group_id = g.id
            LEFT JOIN muster.membership m ON m.group_id = g.id
            LEFT JOIN muster.account a ON a.id = m.user_id
            LEFT JOIN muster.presence e ON e.user_id = a.id
            LEFT JOIN muster.position p ON p.user_id = a.id
        WHERE g.id = ANY($1)
        ORDER BY g.id, m.joined_at, m.user_id
        """

    /// Reads the result of `selection`, in ascending order of id.
    static func read(_ result: PostgresResult) throws -> [GroupSnapshot] {
        var groups: [GroupSnapshot] = []
        for row in result {
            let id: GroupID = try row.id("group_id")
            if groups.last?.id != id { groups.append(try Self.withoutMembers(id, row)) }
            guard try !row.isNull("user_id") else { continue }
            groups[groups.count - 1].members.append(try Member(row))
        }
        return groups
    }

    private static func withoutMembers(_ id: GroupID, _ row: PostgresRow) throws -> GroupSnapshot {
        GroupSnapshot(
            id: id,
            revision: try row.int64("revision"),
            name: try row.text("group_name"),
            settings: try row.settings(),
            members: [],
            gathering: try row.machine(),
            places: try row.optionalText("places").map { try GroupPlace.read($0, of: id) } ?? []
        )
    }
}

extension GroupSnapshot.Member {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            user: try row.profile(),
            role: try row.choice("role"),
            sharing: Sharing(
                mode: try row.choice("sharing"),
                until: try row.optionalTimestamp("sharing_until"),
                then: try row.choice("sharing_then"),
                visibleSince: try row.timestamp("visible_since"),
                hasPaused: try row.timestamp("visible_since") > row.timestamp("joined_at"),
                isPictured: try row.bool("pictures")
            ),
            joinedAt: try row.timestamp("joined_at"),
            position: try row.storedPosition(),
            lastSeen: try row.optionalTimestamp("last_seen"),
            presence: try row.choice("presence"),
            lastNotification: try row.int64("last_notification"),
            unseen: try row.notifications("unseen")
        )
    }
}

extension PostgresRow {
    /// Decodes the column `machine`; nil when it is invalid, or NULL because the row is from before migration 0012.
    fileprivate func machine() throws -> GatheringState? {
        try self.optionalText("machine").flatMap {
            try? JSONDecoder().decode(GatheringState.self, from: Data($0.utf8))
        }
    }

    /// The columns of a group's settings.
    func settings() throws -> GroupSettings {
        GroupSettings(
            radius: try self.float8("radius"),
            dwell: Int(try self.int32("dwell")),
            maxAbsent: Int(try self.int32("max_absent")),
            cooldown: Int(try self.int32("cooldown"))
        )
    }
}
