import EventLoop
package import MusterCore
import Postgres
import Synchronization

extension Directory {
    /// Exchanges a name and a password for a token.
    ///
    /// Whether an account exists shows neither in the answer nor in the time that it takes.
    ///
    /// Failures are counted per account, and per `address` when it is known where the client is.
    ///
    /// - Throws: `unauthorized`, `rateLimited` after repeated failures, `unavailable`.
    package func logIn(
        username: String,
        password: String,
        address: String?
    ) async throws(DirectoryError) -> Credentials {
        guard Validation.isUsername(username), Validation.isPassword(password) else { throw Self.wrongLogin }
        let subjects = [.account(username)] + (address.map { [LoginSlowdown.Subject.address($0)] } ?? [])
        let start = self.clock.milliseconds
        if let wait = self.slowdown.withLock({ $0.begin(subjects, now: start) }) {
            throw DirectoryError(.rateLimited(retryAfter: wait), "too many failed logins")
        }
        do {
            let credentials = try await self.checkedLogIn(username: username, password: password)
            self.slowdown.withLock { $0.succeeded(subjects) }
            return credentials
        } catch {
            if error.code != .unauthorized { self.slowdown.withLock { $0.abandoned(subjects) } }
            throw error
        }
    }

    /// Ends a login.
    ///
    /// - Throws: `unauthorized`, `unavailable`.
    /// - Returns: the login, whose sockets must close.
    package func logOut(token: String) async throws(DirectoryError) -> LoginID {
        let result = try await self.query(
            "DELETE FROM muster.session_token WHERE token_hash = $1 AND expires_at > $2 RETURNING id",
            [.bytea(AccessToken(text: token).hash), .timestamptz(self.now)]
        )
        guard let row = result.first else { throw Self.deadToken }
        return try decoding { () throws(PostgresError) in try row.id("id") }
    }

    /// Says whom a token stands for.
    ///
    /// - Throws: `unauthorized`, `unavailable`.
    package func authenticate(token: String) async throws(DirectoryError) -> Authentication {
        let result = try await self.query(
            "SELECT id, user_id FROM muster.session_token WHERE token_hash = $1 AND expires_at > $2",
            [.bytea(AccessToken(text: token).hash), .timestamptz(self.now)]
        )
        guard let row = result.first else { throw Self.deadToken }
        return try decoding { () throws(PostgresError) in
            Authentication(user: try row.id("user_id"), login: try row.id("id"))
        }
    }

    static var deadToken: DirectoryError { DirectoryError(.unauthorized, "the token is unknown or has expired") }

    private static var wrongLogin: DirectoryError { DirectoryError(.unauthorized, "wrong username or password") }

    private func checkedLogIn(username: String, password: String) async throws(DirectoryError) -> Credentials {
        let result = try await self.query(
            "SELECT id AS user_id, name, avatar, password_hash FROM muster.account WHERE username = $1",
            [.text(username)]
        )
        guard let row = result.first else {
            // As much work as for an account that exists.
            _ = try await self.hasher.hash(password)
            throw Self.wrongLogin
        }
        let (user, hash) = try decoding { () throws(PostgresError) in
            (try row.profile(), try row.text("password_hash"))
        }
        guard try await self.hasher.verify(password, against: hash) else { throw Self.wrongLogin }
        let now = self.now
        do {
            return try await self.transaction { (transaction) async throws(DirectoryError) -> Credentials in
                try await self.makeLogin(of: user, now: now, in: transaction)
            }
        } catch {
            // The account was deleted meanwhile.
            guard error.underlyingError?.isForeignKeyViolation == true else { throw error }
            throw Self.wrongLogin
        }
    }

    /// Stores a new token.
    func makeLogin(
        of user: UserProfile,
        now: Timestamp,
        in transaction: DirectoryTransaction
    ) async throws(DirectoryError) -> Credentials {
        let token = AccessToken()
        let login: LoginID = self.nextID(at: now)
        let expiresAt = now + self.configuration.tokenLifetime
        try await transaction.query(
            """
            INSERT INTO muster.session_token (id, user_id, token_hash, expires_at, created_at)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [.id(login), .id(user.id), .bytea(token.hash), .timestamptz(expiresAt), .timestamptz(now)]
        )
        return Credentials(user: user, token: token.text, expiresAt: expiresAt)
    }
}
