import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The result of a sign-in by another provider.
    enum IdentityLogin: Sendable {
        case existing(Credentials)
        case created(Credentials)
    }

    /// How long an announced logout refuses sign-ins that it overtook, in milliseconds.
    static let logoutMemory: Int64 = 600_000

    // MARK: - Sign-in

    /// Logs in the account of an identity, and makes one at the first sign-in.
    ///
    /// - Parameters:
    ///   - identity: the checked identity.
    ///   - tokens: the provider's tokens, sealed.
    ///   - address: the client's address; nil when it is not known.
    ///   - admitAccount: called before an account is made, and throws when it may not be.
    /// - Returns: the login, and whether the account is new.
    /// - Throws: `unauthorized` when the provider ended the session meanwhile, the error of `admitAccount`,
    ///   `unavailable`.
    func logIn(
        _ identity: VerifiedIdentity,
        tokens: [UInt8],
        address: String?,
        admitAccount: () throws -> Void
    ) async throws -> IdentityLogin {
        let now = self.now
        return try await self.transaction { transaction in
            try await self.requireNotLoggedOut(identity, at: now, in: transaction)
            let (known, user) = try await self.account(of: identity, at: now, in: transaction) ?? (nil, nil)
            if let known, let user {
                try await transaction.query(
                    "UPDATE muster.identity SET last_login_at = $2, provider = $3 WHERE id = $1",
                    [.id(known), .timestamptz(now), .text(identity.provider)]
                )
                return .existing(
                    try await self.makeLogin(
                        of: user,
                        from: address,
                        now: now,
                        source: identity.source(known, tokens),
                        in: transaction
                    )
                )
            }
            try admitAccount()
            let created = try await self.makeAccount(for: identity, at: now, in: transaction)
            let link = try await self.insert(identity, of: created.id, at: now, in: transaction)
            return .created(
                try await self.makeLogin(
                    of: created,
                    from: address,
                    now: now,
                    source: identity.source(link, tokens),
                    in: transaction
                )
            )
        }
    }

    /// Links an identity to an account.
    ///
    /// - Throws: `conflict` when it is linked to another account, `unauthorized`, `unavailable`.
    func link(_ identity: VerifiedIdentity, to user: UserID) async throws {
        let now = self.now
        do {
            try await self.transaction { transaction in
                try await self.requireNotLoggedOut(identity, at: now, in: transaction)
                if let (_, owner) = try await self.account(of: identity, at: now, in: transaction) {
                    guard owner.id == user else {
                        throw FrameError(.conflict, message: "This identity belongs to another account here.")
                    }
                    return
                }
                _ = try await self.insert(identity, of: user, at: now, in: transaction)
            }
        } catch let error as PostgresError where error.isForeignKeyViolation {
            // The account was deleted concurrently.
            throw Self.deadToken
        }
    }

    /// Records that the user of a login has proved who they are.
    ///
    /// - Throws: `unauthorized` when the identity is not linked to the account, `unavailable`.
    func confirm(_ asker: Authentication, by identity: VerifiedIdentity) async throws {
        let now = self.now
        try await self.transaction { transaction in
            try await self.requireNotLoggedOut(identity, at: now, in: transaction)
            let owner = try await self.account(of: identity, at: now, in: transaction)
            guard owner?.1.id == asker.user else {
                throw FrameError(.unauthorized, message: "This identity is not linked to your account.")
            }
            try await transaction.query(
                "UPDATE muster.session_token SET authenticated_at = $2 WHERE id = $1",
                [.id(asker.login), .timestamptz(now)]
            )
        }
    }

    // MARK: - The user's identities

    /// The identities of a user, oldest first.
    ///
    /// - Throws: `unavailable`.
    func identities(of user: UserID) async throws -> [LinkedIdentity] {
        let result = try await self.query(
            "SELECT id, provider, created_at, last_login_at FROM muster.identity WHERE user_id = $1 ORDER BY id",
            [.id(user)]
        )
        return try result.map { row in
            LinkedIdentity(
                id: try row.id("id"),
                provider: try row.text("provider"),
                createdAt: try row.timestamp("created_at"),
                lastLoginAt: try row.timestamp("last_login_at")
            )
        }
    }

    /// Unlinks an identity, and ends the other logins that it made.
    ///
    /// - Throws: `notFound` when the user has no such identity, `conflict` for the last way in, `unavailable`.
    /// - Returns: the ended logins.
    func unlink(_ identity: IdentityID, from asker: Authentication) async throws -> Committed<[LoginID]> {
        try await self.transaction { transaction in
            // A statement of its own, so that the next one sees what the holder of the lock has unlinked.
            try await transaction.query("SELECT FROM muster.account WHERE id = $1 FOR UPDATE", [.id(asker.user)])
            let ways = try await transaction.query(
                """
                SELECT a.password_hash IS NOT NULL AS has_password,
                    EXISTS (SELECT FROM muster.identity i WHERE i.user_id = a.id AND i.id = $2) AS is_linked,
                    EXISTS (SELECT FROM muster.identity i WHERE i.user_id = a.id AND i.id <> $2) AS has_other
                FROM muster.account a WHERE a.id = $1
                """,
                [.id(asker.user), .id(identity)]
            )
            guard let row = ways.first, try row.bool("is_linked") else {
                throw FrameError(.notFound, message: "Your account has no such identity.")
            }
            let hasOther = try row.bool("has_password") || row.bool("has_other")
            guard hasOther else {
                throw FrameError(
                    .conflict,
                    message: "This is your only way to log in; set a password or link another identity first."
                )
            }
            let ended = try await transaction.query(
                "DELETE FROM muster.session_token WHERE identity_id = $1 AND id <> $2 RETURNING id",
                [.id(identity), .id(asker.login)]
            )
            try await transaction.query("DELETE FROM muster.identity WHERE id = $1", [.id(identity)])
            return try Self.ended(ended)
        }
    }

    // MARK: - Logouts

    /// Ends the logins that a provider announced the end of.
    ///
    /// - Throws: `badRequest` when the announcement was received before, `unavailable`.
    /// - Returns: the ended logins.
    func endLogins(by logout: LogoutTokenRule.Logout, issuer: String) async throws -> Committed<[LoginID]> {
        let now = self.now
        return try await self.transaction { transaction in
            try await transaction.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 43))",
                [.text(issuer)]
            )
            let seen = try await transaction.query(
                """
                INSERT INTO muster.logout_seen (issuer, jti, sid, subject, issued_at, seen_at)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING jti
                """,
                [
                    .text(issuer), .text(logout.identifier), .optional(logout.session), .optional(logout.subject),
                    .timestamptz(logout.issuedAt), .timestamptz(now),
                ]
            )
            guard !seen.isEmpty else { throw FrameError(.badRequest, message: "This logout token was used already.") }
            let ended = try await transaction.query(
                """
                DELETE FROM muster.session_token t USING muster.identity i
                WHERE i.id = t.identity_id AND i.issuer = $1 AND ($2::text IS NULL OR t.sid = $2)
                    AND ($3::text IS NULL OR i.subject = $3)
                RETURNING t.id
                """,
                [.text(issuer), .optional(logout.session), .optional(logout.subject)]
            )
            return try Self.ended(ended)
        }
    }

    /// Logins that were deleted, with their changes.
    static func ended(_ result: PostgresResult) throws -> Committed<[LoginID]> {
        let logins: [LoginID] = try result.map { try $0.id("id") }
        return Committed(logins, logins.map { .loginEnded($0) })
    }

    // MARK: - Steps

    /// Throws unless no announced logout overtook a sign-in; logouts of the issuer wait for the end of the transaction.
    private func requireNotLoggedOut(
        _ identity: VerifiedIdentity,
        at now: Timestamp,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.query(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended($1::text, 43))",
            [.text(identity.issuer)]
        )
        let result = try await transaction.query(
            """
            SELECT 1 AS one FROM muster.logout_seen
            WHERE issuer = $1 AND seen_at > $5
                AND (sid = $2 OR sid IS NULL AND subject = $3 AND issued_at >= $4) LIMIT 1
            """,
            [
                .text(identity.issuer), .optional(identity.session), .text(identity.subject),
                .timestamptz(identity.issuedAt), .timestamptz(now - Self.logoutMemory),
            ]
        )
        guard result.isEmpty else { throw SignInFailure.refused("logged_out_meanwhile") }
    }

    /// The link of an identity and its user; nil when there is none.
    ///
    /// Sign-ins of the same identity wait for each other.
    private func account(
        of identity: VerifiedIdentity,
        at now: Timestamp,
        in transaction: PostgresTransaction
    ) async throws -> (IdentityID, UserProfile)? {
        try await transaction.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1::text || chr(10) || $2::text, 44))",
            [.text(identity.issuer), .text(identity.subject)]
        )
        let result = try await transaction.query(
            """
            SELECT i.id AS identity_id, a.id AS user_id, a.name, a.avatar
            FROM muster.identity i JOIN muster.account a ON a.id = i.user_id WHERE i.issuer = $1 AND i.subject = $2
            """,
            [.text(identity.issuer), .text(identity.subject)]
        )
        return try result.first.map { (try $0.id("identity_id"), try $0.profile()) }
    }

    private func insert(
        _ identity: VerifiedIdentity,
        of user: UserID,
        at now: Timestamp,
        in transaction: PostgresTransaction
    ) async throws -> IdentityID {
        let id: IdentityID = self.nextID(at: now)
        try await transaction.query(
            """
            INSERT INTO muster.identity (id, user_id, provider, issuer, subject, created_at, last_login_at)
            VALUES ($1, $2, $3, $4, $5, $6, $6)
            """,
            [
                .id(id), .id(user), .text(identity.provider), .text(identity.issuer), .text(identity.subject),
                .timestamptz(now),
            ]
        )
        return id
    }

    /// Makes an account without a password, under the first free username.
    private func makeAccount(
        for identity: VerifiedIdentity,
        at now: Timestamp,
        in transaction: PostgresTransaction
    ) async throws -> UserProfile {
        let proposal = ProposedUsername(identity.username)
        let shown = [identity.name, identity.username].lazy.compactMap { text in
            text.flatMap { try? TextRule.displayName.cleaned(String($0.prefix(80))) }
        }
        let user = UserProfile(id: self.nextID(at: now), name: shown.first ?? proposal.name(attempt: 0))
        for attempt in 0..<30 {
            // After the first numbers any number, because a common name has used up many.
            let number = attempt < 10 ? attempt : Int.random(in: 100..<1_000_000)
            let inserted = try await transaction.query(
                """
                INSERT INTO muster.account (id, username, password_hash, name, created_at)
                VALUES ($1, $2, NULL, $3, $4) ON CONFLICT (username) DO NOTHING RETURNING id
                """,
                [.id(user.id), .text(proposal.name(attempt: number)), .text(user.name), .timestamptz(now)]
            )
            if !inserted.isEmpty { return user }
        }
        throw FrameError(.unavailable, message: "No free username was found; try again.")
    }
}

extension VerifiedIdentity {
    /// The source of a login by this identity.
    fileprivate func source(_ link: IdentityID, _ tokens: [UInt8]) -> LoginSource {
        LoginSource(identity: link, session: self.session, provider: self.provider, tokens: tokens)
    }
}
