import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Stores a group's copy of a plan, without its private parts, and notifies the other members.
    ///
    /// - Throws: `notMember`, `notFound`, `forbidden` when the plan belongs to another user, `unavailable`.
    /// - Returns: the notification; it has no recipients when the group already had the plan.
    func sharePlan(_ request: PlanShareRequest, by user: UserID) async throws -> PlanProposal {
        let now = self.now
        return try await self.transaction { transaction in
            try await transaction.query("SELECT FROM muster.account WHERE id = $1 FOR KEY SHARE", [.id(user)])
            _ = try await transaction.lockGroup(request.group, as: user)
            let stored = try await transaction.ownPlan(request.plan, of: user, lock: "FOR SHARE")
            let results = try await transaction.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.plan_share (plan_id, group_id, user_id, body, shared_at)
                    VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
                    """,
                    [
                        .id(request.plan), .id(request.group), .id(user), try stored.plan.withoutOrigin.stored,
                        .timestamptz(now),
                    ]
                ),
                PostgresStatement("SELECT name FROM muster.grp WHERE id = $1", [.id(request.group)]),
                PostgresStatement(
                    """
                    SELECT m.user_id FROM muster.membership m
                    WHERE m.group_id = $1 AND m.user_id <> $2
                        AND NOT EXISTS (SELECT FROM muster.block k WHERE k.user_id = m.user_id AND k.blocked_id = $2)
                    ORDER BY m.user_id
                    """,
                    [.id(request.group), .id(user)]
                ),
            ])
            let (name, others) = (
                try results[1].first?.text("name") ?? "",
                try results[2].map { row -> UserID in try row.id("user_id") }
            )
            let content = NotificationContent.planProposed(stored, to: request.group, called: name, at: now)
            guard results[0].affectedRows == 1 else { return PlanProposal(content: content, numbers: []) }
            let numbers = try await transaction.commit(notifying: [(content, others)])[0]
            return PlanProposal(content: content, numbers: numbers)
        }
    }

    /// Withdraws a plan from a group, for the user who proposed it and for the group's owner.
    ///
    /// - Throws: `notMember`, `notFound`, `forbidden`, `unavailable`.
    func unsharePlan(_ request: PlanUnshare, by user: UserID) async throws -> PlanWithdrawal {
        try await self.transaction { transaction in
            let role = try await transaction.lockGroup(request.group, as: user)
            let found = try await transaction.query(
                "SELECT user_id FROM muster.plan_share WHERE plan_id = $1 AND group_id = $2 FOR UPDATE",
                [.id(request.plan), .id(request.group)]
            )
            guard let row = found.first else { throw Self.unknownPlan }
            let sharer: UserID = try row.id("user_id")
            guard sharer == user || role == .owner else {
                throw FrameError(
                    .forbidden,
                    message: "Only the proposer of the plan and the owner of the group may do this."
                )
            }
            try await transaction.query(
                "DELETE FROM muster.plan_share WHERE plan_id = $1 AND group_id = $2",
                [.id(request.plan), .id(request.group)]
            )
            return PlanWithdrawal(
                groups: [request.group],
                notifications: try await transaction.withdrawProposals(of: request.plan, in: [request.group])
            )
        }
    }

    /// Deletes a plan of a user, with all copies of groups.
    ///
    /// - Throws: `notFound`, `forbidden` when the plan belongs to another user, `unavailable`.
    func deletePlan(_ plan: PlanID, by user: UserID) async throws -> PlanWithdrawal {
        try await self.transaction { transaction in
            _ = try await transaction.ownPlan(plan, of: user, lock: "FOR UPDATE")
            let results = try await transaction.pipeline([
                PostgresStatement(
                    "SELECT group_id FROM muster.plan_share WHERE plan_id = $1 ORDER BY group_id",
                    [.id(plan)]
                ),
                PostgresStatement("DELETE FROM muster.plan WHERE id = $1", [.id(plan)]),
            ])
            let groups = try results[0].map { row -> GroupID in try row.id("group_id") }
            return PlanWithdrawal(
                groups: groups,
                notifications: try await transaction.withdrawProposals(of: plan, in: groups)
            )
        }
    }

    /// Stores a member's answer to a plan of their group, in place of an earlier answer.
    ///
    /// - Throws: `notMember`, `notFound` when the group has no such plan, `unavailable`.
    /// - Returns: the new counts of answers.
    func answerPlan(_ request: PlanAnswerRequest, by user: UserID) async throws -> PlanChange {
        let now = self.now
        let share: [PostgresValue] = [.id(request.plan), .id(request.group)]
        let change =
            switch request.answer {
            case .in, .maybe, .out:
                PostgresStatement(
                    """
                    INSERT INTO muster.plan_answer (plan_id, group_id, user_id, answer, answered_at)
                    VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (plan_id, group_id, user_id)
                    DO UPDATE SET answer = excluded.answer, answered_at = excluded.answered_at
                    """,
                    share + [.id(user), .text(request.answer.rawValue), .timestamptz(now)]
                )
            case .none:
                PostgresStatement(
                    "DELETE FROM muster.plan_answer WHERE plan_id = $1 AND group_id = $2 AND user_id = $3",
                    share + [.id(user)]
                )
            }
        return try await self.transaction { transaction in
            let found = try await transaction.pipeline([
                PostgresStatement(
                    "SELECT FROM muster.membership WHERE group_id = $1 AND user_id = $2 FOR KEY SHARE",
                    [.id(request.group), .id(user)]
                ),
                PostgresStatement(
                    "SELECT FROM muster.plan_share WHERE plan_id = $1 AND group_id = $2 FOR NO KEY UPDATE",
                    share
                ),
            ])
            guard found[0].rowCount == 1 else { throw PostgresTransaction.notMember }
            guard found[1].rowCount == 1 else { throw Self.unknownPlan }
            try await transaction.pipeline([change])
            let shared = SharedPlan(plan: request.plan, group: request.group)
            guard let counted = try await transaction.answers(to: [shared]).first else { throw Self.unknownPlan }
            return counted
        }
    }
}

extension PostgresTransaction {
    /// Locks a plan for its owner.
    ///
    /// - Throws: `notFound`; `forbidden` when another user shares the plan with a group of the caller.
    fileprivate func ownPlan(_ plan: PlanID, of user: UserID, lock: String) async throws -> StoredPlan {
        try await self.query("SELECT FROM muster.plan WHERE id = $1 AND user_id = $2 \(lock)", [.id(plan), .id(user)])
        let statement = Directory.selectPlan(plan, for: user)
        let stored = try Directory.plan(in: try await self.query(statement.sql, statement.parameters))
        guard stored.person.id == user else {
            throw FrameError(.forbidden, message: "Only the owner of the plan may do this.")
        }
        return stored
    }

    /// Deletes unseen notifications about a plan.
    fileprivate func withdrawProposals(
        of plan: PlanID,
        in groups: [GroupID]
    ) async throws -> [NotificationNumber] {
        guard !groups.isEmpty else { return [] }
        let result = try await self.query(
            """
            DELETE FROM muster.notification n USING muster.membership m, unnest($1::bigint[], $2::text[]) AS x(group_id, subject)
            WHERE m.group_id = x.group_id AND n.user_id = m.user_id AND n.kind = $3 AND n.subject = x.subject
                AND n.seen_at IS NULL
            RETURNING n.user_id, n.number
            """,
            [
                .ids(groups), .textArray(groups.map { NotificationContent.subject(of: plan, in: $0) }),
                .text(NotificationKind.planProposed.name),
            ]
        )
        return try result.map { row in
            NotificationNumber(user: try row.id("user_id"), number: try row.int64("number"))
        }
    }
}
