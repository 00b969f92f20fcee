import MusterCore
import MusterWire
import Postgres

/// A plan that is shared with a group.
struct SharedPlan: Sendable, Hashable {
    let plan: PlanID
    let group: GroupID
}

extension PostgresTransaction {
    /// Locks the memberships of a leaving user, and returns the plans of these groups that the user has answered.
    func plansAnswered(by user: UserID, in groups: [GroupID]) async throws -> [SharedPlan] {
        try await self.query(
            "SELECT FROM muster.membership WHERE user_id = $1 AND group_id = ANY ($2) ORDER BY group_id FOR UPDATE",
            [.id(user), .ids(groups)]
        )
        let result = try await self.query(
            """
            SELECT plan_id, group_id FROM muster.plan_answer WHERE user_id = $1 AND group_id = ANY ($2)
            ORDER BY plan_id, group_id
            """,
            [.id(user), .ids(groups)]
        )
        return try result.map { row in
            SharedPlan(plan: try row.id("plan_id"), group: try row.id("group_id"))
        }
    }

    /// The current answers to plans; plans that are no longer shared are left out.
    ///
    /// The locks last until the end of the transaction, so that the counts of successive commits are in order.
    func answers(to plans: [SharedPlan]) async throws -> [PlanChange] {
        guard !plans.isEmpty else { return [] }
        let shares: [PostgresValue] = [.ids(plans.map(\.plan)), .ids(plans.map(\.group))]
        // The lock is a separate statement, so that the next one sees the changes of transactions that it waited for.
        try await self.query(
            """
            SELECT FROM muster.plan_share s JOIN unnest($1::bigint[], $2::bigint[]) AS x(plan_id, group_id)
                ON s.plan_id = x.plan_id AND s.group_id = x.group_id
            ORDER BY s.plan_id, s.group_id FOR NO KEY UPDATE OF s
            """,
            shares
        )
        let result = try await self.query(
            """
            SELECT s.plan_id, s.group_id, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS counted_at,
                count(*) FILTER (WHERE r.answer = 'in') AS going,
                count(*) FILTER (WHERE r.answer = 'maybe') AS maybe, count(*) FILTER (WHERE r.answer = 'out') AS staying
            FROM unnest($1::bigint[], $2::bigint[]) AS x(plan_id, group_id)
                JOIN muster.plan_share s ON s.plan_id = x.plan_id AND s.group_id = x.group_id
                LEFT JOIN muster.plan_answer r ON r.plan_id = s.plan_id AND r.group_id = s.group_id
            GROUP BY s.plan_id, s.group_id ORDER BY s.plan_id, s.group_id
            """,
            shares
        )
        return try result.map { row in
            PlanChange(
                plan: try row.id("plan_id"),
                group: try row.id("group_id"),
                answers: PlanAnswers(
                    in: Int(try row.int64("going")),
                    maybe: Int(try row.int64("maybe")),
                    out: Int(try row.int64("staying"))
                ),
                countedAt: try row.int64("counted_at")
            )
        }
    }
}

extension Publication {
    /// Sends a group its members' new answers to a plan.
    init(_ change: PlanChange) {
        self.init(to: .group(change.group, except: nil), .live(.planChanged(change)))
    }
}
