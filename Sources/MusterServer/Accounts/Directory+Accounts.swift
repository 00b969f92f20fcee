import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Creates an account and logs it in.
    ///
    /// - Throws: `badRequest`, `conflict` when the username is taken, `unavailable`.
    package func signUp(
        username: String,
        password: String,
        name: String,
        address: String? = nil
    ) async throws -> Credentials {
        let password = Password(password)
        try Validation.username(username)
        try require(password.isPossible, "password", "must have 8 to 256 characters")
        let name = try Validation.text(name, .displayName, field: "name")
        let hash = try await self.hasher.hash(password.prepared)
        let now = self.now
        let user = UserProfile(id: self.nextID(at: now), name: name)
        do {
            return try await self.transaction { transaction in
                try await transaction.query(
                    """
                    INSERT INTO muster.account (id, username, password_hash, name, created_at)
                    VALUES ($1, $2, $3, $4, $5)
                    """,
                    [.id(user.id), .text(username), .text(hash), .text(name), .timestamptz(now)]
                )
                return try await self.makeLogin(of: user, from: address, now: now, in: transaction)
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            throw FrameError(.conflict, message: "This username is taken.")
        }
    }

    /// The user's view of their own account.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func account(of user: UserID) async throws -> Account {
        try Self.account(in: try await self.query(Self.selectAccount, [.id(user)]))
    }

    private static let selectAccount = "SELECT id AS user_id, username, name, avatar FROM muster.account WHERE id = $1"

    /// Changes the public profile of a user.
    ///
    /// - Throws: `badRequest`; `notFound` when there is no such account, or no such unused photo of the user;
    ///   `unavailable`.
    /// - Returns: the account; each of its groups has a new revision.
    func updateProfile(
        of user: UserID,
        _ change: ProfileChange
    ) async throws -> Committed<Account> {
        let name = try change.name.map { name in
            try Validation.text(name, .displayName, field: "name")
        }
        return try await self.transaction { transaction in
            let groups = try await transaction.lockGroups(of: user)
            try await transaction.query("SELECT muster.lock_events_of($1)", [.id(user)])
            // This locks the account before its photos.
            try await transaction.query(
                "UPDATE muster.account SET name = coalesce($2::text, name) WHERE id = $1",
                [.id(user), .optional(name)]
            )
            switch change.avatar {
            case .unchanged: break
            case .removed: try await transaction.removeFace(of: user)
            case .replaced(let photo): try await transaction.replaceFace(of: user, by: photo)
            }
            let result = try await transaction.query(Self.selectAccount, [.id(user)])
            let account = try Self.account(in: result)
            return Committed(account, try await transaction.bump(groups).map { .group($0) })
        }
    }

    /// Deletes a user with all data, history included.
    ///
    /// - Throws: `notFound`, `unavailable`.
    /// - Returns: the changes to groups, plans and other rows of the user.
    func deleteAccount(_ user: UserID) async throws -> Committed<AccountDeletion> {
        // A concurrent join between the locks requires another attempt.
        for _ in 0..<5 {
            if let deletion = try await self.tryToDelete(user) { return Committed(deletion, deletion.changes) }
        }
        throw FrameError(.unavailable, message: "The account is being changed by another request; try again soon.")
    }

    /// Deletes a user; nil when the user joined another room while the locks were being acquired.
    private func tryToDelete(_ user: UserID) async throws -> AccountDeletion? {
        try await self.transaction { transaction in
            // The account is locked last, in the same order as in the chat writer, which locks rooms before authors.
            let before = try await transaction.pipeline([Self.selectMemberships(of: user)])[0]
            let groups = try await transaction.lockGroups(of: user)
            let found = try await transaction.pipeline([
                PostgresStatement("SELECT muster.lock_events_of($1)", [.id(user)]),
                PostgresStatement("SELECT muster.lock_rooms_of($1)", [.id(user)]),
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR UPDATE", [.id(user)]),
                Self.selectMemberships(of: user),
            ])
            guard found[2].rowCount == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
            let isSame = try before.first?.text("seats") == found[3].first?.text("seats")
            guard isSame else { return nil }
            let shared = try await transaction.query(
                "SELECT plan_id, group_id FROM muster.plan_share WHERE user_id = $1 ORDER BY plan_id, group_id",
                [.id(user)]
            )
            let sharedPlans = try shared.map { row -> (plan: PlanID, group: GroupID) in
                (try row.id("plan_id"), try row.id("group_id"))
            }
            let answered = try await transaction.plansAnswered(by: user, in: groups)
            let plan = DeletionPlan()
            let results = try await transaction.pipeline(plan.statements.map { PostgresStatement($0.sql, [.id(user)]) })
            var deleted: [String: [Int64]] = [:]
            for (statement, result) in zip(plan.statements, results) where statement.returnsIDs {
                deleted[statement.table] = try result.map { row in try row.int64("id") }
            }
            return AccountDeletion(
                user: user,
                groups: try await transaction.completeRemoval(groups),
                sharedPlans: sharedPlans,
                answeredPlans: try await transaction.answers(to: answered),
                deleted: deleted
            )
        }
    }

    /// The room ids of a user, as one text.
    private static func selectMemberships(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT coalesce(string_agg(room_id::text, ',' ORDER BY room_id), '') AS seats
            FROM muster.room_member WHERE user_id = $1
            """,
            [.id(user)]
        )
    }

    private static func account(in result: PostgresResult) throws -> Account {
        guard let row = result.first else { throw FrameError(.notFound, message: "There is no such account.") }
        return Account(username: try row.text("username"), profile: try row.profile())
    }
}
