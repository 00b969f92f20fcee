package import MusterCore
import Postgres

/// What members of a group say to a plan after some have changed their minds, or left.
package struct PlanChange: Sendable, Equatable {
    package var plan: PlanID
    package var group: GroupID
    package var answers: PlanAnswers

    /// Describes what they say.
    package init(plan: PlanID, group: GroupID, answers: PlanAnswers) {
        self.plan = plan
        self.group = group
        self.answers = answers
    }
}

/// A plan that is proposed to a group.
struct SharedPlan: Sendable, Hashable {
    let plan: PlanID
    let group: GroupID
}

extension DirectoryTransaction {
    /// The plans of groups to which a person has said something.
    func plansAnswered(by user: UserID, in groups: [GroupID]) async throws(DirectoryError) -> [SharedPlan] {
        let result = try await self.query(
            """
            SELECT plan_id, group_id FROM muster.plan_answer WHERE user_id = $1 AND group_id = ANY ($2)
            ORDER BY plan_id, group_id
            """,
            [.id(user), .ids(groups)]
        )
        return try decoding { () throws(PostgresError) in
            try result.map { (row) throws(PostgresError) in
                SharedPlan(plan: try row.id("plan_id"), group: try row.id("group_id"))
            }
        }
    }

    /// What members say to plans now; those that their groups have no more are left out.
    func answers(to plans: [SharedPlan]) async throws(DirectoryError) -> [PlanChange] {
        guard !plans.isEmpty else { return [] }
        let result = try await self.query(
            """
            SELECT s.plan_id, s.group_id, count(*) FILTER (WHERE r.answer = 'in') AS going,
                count(*) FILTER (WHERE r.answer = 'maybe') AS maybe, count(*) FILTER (WHERE r.answer = 'out') AS staying
            FROM unnest($1::bigint[], $2::bigint[]) AS x(plan_id, group_id)
                JOIN muster.plan_share s ON s.plan_id = x.plan_id AND s.group_id = x.group_id
                LEFT JOIN muster.plan_answer r ON r.plan_id = s.plan_id AND r.group_id = s.group_id
            GROUP BY s.plan_id, s.group_id ORDER BY s.plan_id, s.group_id
            """,
            [.ids(plans.map(\.plan)), .ids(plans.map(\.group))]
        )
        return try decoding { () throws(PostgresError) in
            try result.map { (row) throws(PostgresError) in
                PlanChange(
                    plan: try row.id("plan_id"),
                    group: try row.id("group_id"),
                    answers: PlanAnswers(
                        in: Int(try row.int64("going")),
                        maybe: Int(try row.int64("maybe")),
                        out: Int(try row.int64("staying"))
                    )
                )
            }
        }
    }
}
