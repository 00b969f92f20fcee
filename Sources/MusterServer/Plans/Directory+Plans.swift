import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The maximum number of plans of a user.
    static let plansPerPerson = 100
    /// The number of a user's suggestions from which a plan can be saved; older ones lose their plans.
    static let suggestionsPerPerson = 20
    /// How long a plan can be saved from a suggestion, in milliseconds.
    static let suggestionLifetime: Int64 = 3_600_000
    /// The number of plans in a page.
    static let plansPerPage = 20

    // MARK: - Suggestions

    /// Stores suggested plans, so that the user can save one of them.
    ///
    /// - Throws: `notFound` when there is no such account, `unavailable`.
    func addSuggestion(_ plans: [DayPlan], for user: UserID) async throws -> SuggestionID {
        let now = self.now
        let suggestion: SuggestionID = self.nextID(at: now)
        let stored = try DayPlan.stored(plans)
        let results = try await self.pool.pipeline([
            PostgresStatement(
                """
                INSERT INTO muster.suggestion (id, user_id, plans, created_at)
                SELECT $1, id, $3, $4 FROM muster.account WHERE id = $2
                """,
                [.id(suggestion), .id(user), stored, .timestamptz(now)]
            ),
            PostgresStatement(
                """
                UPDATE muster.suggestion SET plans = NULL WHERE plans IS NOT NULL AND id IN (
                    SELECT id FROM muster.suggestion WHERE user_id = $1 ORDER BY id DESC OFFSET $2
                )
                """,
                [.id(user), .int64(Int64(Self.suggestionsPerPerson))]
            ),
        ])
        guard results[0].affectedRows == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
        return suggestion
    }

    /// Deletes the plans of expired suggestions, and after a day the suggestions themselves.
    func sweepSuggestions(at now: Timestamp) async throws {
        try await self.query(
            "UPDATE muster.suggestion SET plans = NULL WHERE created_at <= $1 AND plans IS NOT NULL",
            [.timestamptz(now - Self.suggestionLifetime)]
        )
        try await self.query(
            "DELETE FROM muster.suggestion WHERE created_at <= $1",
            [.timestamptz(now - 86_400_000)]
        )
    }

    /// Saves a suggested plan.
    ///
    /// - Throws: `badRequest`; `notFound` when the user has no such suggestion; `gone` when it has expired; `conflict`
    ///   when the user has too many plans; `unavailable`.
    func savePlan(_ request: PlanSave, by user: UserID) async throws -> StoredPlan {
        let name = try Validation.text(request.name, DayPlan.nameRule, field: "name")
        let now = self.now
        let id: PlanID = self.nextID(at: now)
        return try await self.transaction { transaction in
            let found = try await transaction.pipeline([
                // The lock serialises the requests of one user, so that the limit holds.
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR NO KEY UPDATE", [.id(user)]),
                PostgresStatement(
                    """
                    SELECT plans IS NULL OR created_at <= $3 AS is_over, plans -> $4::integer AS body
                    FROM muster.suggestion WHERE id = $1 AND user_id = $2
                    """,
                    [
                        .id(request.suggestion), .id(user), .timestamptz(now - Self.suggestionLifetime),
                        .int32(Int32(clamping: request.index)),
                    ]
                ),
            ])
            guard let row = found[1].first else { throw FrameError(.notFound, message: "There is no such suggestion.") }
            let (isOver, body) = (try row.bool("is_over"), try row.optionalText("body"))
            guard !isOver else { throw FrameError(.gone, message: "The suggestion has expired; request a new one.") }
            guard let body, request.index >= 0 else {
                throw FrameError(
                    .badRequest,
                    message: "index must be the index of a plan in the suggestion.",
                    field: "index"
                )
            }
            let plan = try DayPlan(stored: body)
            let results = try await transaction.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.plan (id, user_id, name, body, saved_at)
                    SELECT $1, id, $3, $4, $5 FROM muster.account WHERE id = $2
                    """,
                    [.id(id), .id(user), .text(name), try plan.kept.stored, .timestamptz(now)]
                ),
                PostgresStatement("SELECT count(*) AS plans FROM muster.plan WHERE user_id = $1", [.id(user)]),
                Self.selectPlan(id, for: user),
            ])
            let count = try results[1].first?.int64("plans") ?? 0
            guard count <= Self.plansPerPerson else {
                throw FrameError(.conflict, message: "A user can save at most \(Self.plansPerPerson) plans.")
            }
            return try Self.plan(in: results[2])
        }
    }

    // MARK: - Reading

    /// Returns a user's own plan in full, or the group's copy of a plan that is shared with the user.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func plan(_ plan: PlanID, for user: UserID) async throws -> StoredPlan {
        let statement = Self.selectPlan(plan, for: user)
        return try Self.plan(in: try await self.query(statement.sql, statement.parameters))
    }

    /// A user's plans, or a group's shared plans, newest first, a page at a time.
    ///
    /// - Parameters:
    ///   - group: the group; nil for the user's own plans.
    ///   - last: the last plan of the previous page; nil for the first page.
    ///   - user: the requesting user.
    /// - Returns: at most `plansPerPage` plans.
    /// - Throws: `notMember`, `unavailable`.
    func plans(
        of group: GroupID? = nil,
        after last: PlanID? = nil,
        for user: UserID
    ) async throws -> PlanPage {
        let rows: PostgresResult
        let page: [PostgresValue] = [
            .id(user), .int64(last?.rawValue ?? .max), .int64(Int64(Self.plansPerPage + 1)),
        ]
        if let group {
            let results = try await self.pool.pipeline([
                PostgresStatement(
                    "SELECT FROM muster.membership WHERE group_id = $1 AND user_id = $2",
                    [.id(group), .id(user)]
                ),
                PostgresStatement(
                    StoredPlan.selection(
                        from: """
                            (
                                SELECT q.id, q.user_id, q.name, s.body
                                FROM muster.plan_share s
                                    JOIN muster.membership m ON m.group_id = s.group_id AND m.user_id = $1
                                    JOIN muster.plan q ON q.id = s.plan_id
                                WHERE s.group_id = $4 AND s.plan_id < $2 ORDER BY s.plan_id DESC LIMIT $3
                            )
                            """
                    ) + " ORDER BY p.id DESC",
                    page + [.id(group)]
                ),
            ])
            guard results[0].rowCount == 1 else { throw PostgresTransaction.notMember }
            rows = results[1]
        } else {
            rows = try await self.query(
                StoredPlan.selection(
                    from: "(SELECT * FROM muster.plan WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3)"
                ) + " ORDER BY p.id DESC",
                page
            )
        }
        let plans = try rows.map { row in try StoredPlan(row) }
        guard plans.count > Self.plansPerPage else { return PlanPage(plans: plans, next: nil) }
        return PlanPage(plans: Array(plans.prefix(Self.plansPerPage)), next: plans[Self.plansPerPage - 1].id)
    }

    static func selectPlan(_ plan: PlanID, for user: UserID) -> PostgresStatement {
        PostgresStatement(
            StoredPlan.selection(
                from: """
                    (
                        SELECT q.id, q.user_id, q.name, CASE WHEN q.user_id = $1 THEN q.body ELSE (
                            SELECT s.body FROM muster.plan_share s
                                JOIN muster.membership m ON m.group_id = s.group_id AND m.user_id = $1
                            WHERE s.plan_id = q.id LIMIT 1
                        ) END AS body
                        FROM muster.plan q WHERE q.id = $2
                    )
                    """
            ) + " WHERE p.body IS NOT NULL",
            [.id(user), .id(plan)]
        )
    }

    static func plan(in result: PostgresResult) throws -> StoredPlan {
        guard let row = result.first else { throw Self.unknownPlan }
        return try StoredPlan(row)
    }

    static var unknownPlan: FrameError { FrameError(.notFound, message: "There is no such plan.") }
}
