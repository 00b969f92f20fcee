import MusterCore
import MusterWire

/// The changes that other users see when an account is deleted.
struct AccountDeletion: Sendable {
    var user: UserID
    /// Every group of the deleted user, without that user; without members when the user was the last one.
    var groups: [GroupSnapshot]
    /// Plans that the user had shared with groups, now removed.
    var sharedPlans: [(plan: PlanID, group: GroupID)]
    /// Plans of others that the user had answered, without those answers.
    var answeredPlans: [PlanChange]
    /// The ids of deleted rows that others must be notified of, by table (`PersonalData`).
    var deleted: [String: [Int64]]

    /// The changes of live state; the kinds of rows have the names of their tables.
    var changes: [Change] {
        var changes = RowKind.allCases.flatMap { kind in
            (self.deleted[kind.rawValue] ?? []).map { Change.deleted(kind, id: $0) }
        }
        changes += self.groups.map { .group($0) }
        changes.append(.accountDeleted(self.user))
        changes += self.sharedPlans.map { plan, group in
            .published(Publication(to: .group(group, except: self.user), .live(.planGone(plan, from: group))))
        }
        changes += self.answeredPlans.map { .published(Publication($0)) }
        let rooms = (self.deleted["message"] ?? []).map { RoomID($0) }
        if !rooms.isEmpty { changes.append(.rooms(rooms)) }
        return changes + (self.deleted["spot_vote"] ?? []).map { .votes(SpotID($0)) }
    }
}

/// The statements that delete a user, in order.
///
/// The account's own row goes between the `before` and the `after` statements of `PersonalData`.
struct DeletionPlan {
    struct Statement {
        let table: String
        let sql: String
        /// Whether the statement returns the column `id`.
        let returnsIDs: Bool
    }

    let statements: [Statement]

    init(_ data: [PersonalData] = PersonalData.all) {
        var (before, after): ([Statement], [Statement]) = ([], [])
        for each in data {
            switch each.deletion {
            case .cascade: break
            case .before(let sql): before.append(Self.statement(each.table, sql))
            case .after(let sql): after.append(Self.statement(each.table, sql))
            }
        }
        let account = Self.statement("account", "DELETE FROM muster.account WHERE id = $1")
        self.statements = before + [account] + after
    }

    private static func statement(_ table: String, _ sql: String) -> Statement {
        Statement(table: table, sql: sql, returnsIDs: sql.contains(" RETURNING ") || sql.hasPrefix("SELECT id "))
    }
}
