package import MusterCore

/// What changes for others when an account is deleted.
package struct AccountDeletion: Sendable {
    /// Every group that the person was in, without them; without members when they were the last.
    package var groups: [GroupSnapshot]
    /// The plans that groups had from them, and have no more.
    package var sharedPlans: [(plan: PlanID, group: GroupID)]
    /// The plans of others to which they had said something, without that.
    package var answeredPlans: [PlanChange]
    /// The ids of rows that others must hear of, by the table (`PersonalData`).
    package var deleted: [String: [Int64]]

    /// The spots that were theirs, and are no more.
    package var spots: [SpotID] { (self.deleted["spot"] ?? []).map { SpotID($0) } }

    /// The spots that they had voted on.
    package var votedSpots: [SpotID] { (self.deleted["spot_vote"] ?? []).map { SpotID($0) } }

    /// The events that they hosted, which are no more.
    package var events: [EventID] { (self.deleted["event"] ?? []).map { EventID($0) } }
    /// The rooms in which they had said something.
    package var rooms: [RoomID] { (self.deleted["message"] ?? []).map { RoomID($0) } }

    /// Their pin, which is no more.
    package var pins: [PinID] { (self.deleted["pin"] ?? []).map { PinID($0) } }
}

/// The statements that delete a person, in order: all of `PersonalData`, and the account between what goes before and after it.
struct DeletionPlan {
    struct Statement {
        let table: String
        let sql: String
        /// Whether it answers with the column `id`.
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
