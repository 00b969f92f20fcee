import EventLoop
import MusterCore
import MusterWire
import Postgres
import Synchronization

extension Directory {
    /// Exchanges a username and a password for a token.
    ///
    /// The username may contain upper case and surrounding spaces; the password may be in another Unicode form than the
    /// stored one. Neither the answer nor its timing reveals whether an account exists.
    ///
    /// Failures are counted by `LoginSlowdown`, including by `address` when it is known. The limit of an account does
    /// not apply to an address with a valid login to the account. A device that sent `hello` for the account within
    /// `deviceMemory` has a separate count, and no other count applies to it.
    ///
    /// - Parameters:
    ///   - username: the typed username.
    ///   - password: the typed password.
    ///   - address: the client's address; nil when it is not known.
    ///   - device: the key of the client's device; nil when the client sends none.
    /// - Returns: a new token.
    /// - Throws: `unauthorized`, `rateLimited` after repeated failures, `unavailable`.
    func logIn(
        username: String,
        password: String,
        address: String?,
        device: String? = nil
    ) async throws -> Credentials {
        let username = Validation.typedUsername(username)
        let password = Password(password)
        guard Validation.isUsername(username), password.isPossible || password.isPossibleAsTyped else {
            throw Self.wrongLogin
        }
        if let device, try await self.isKnown(device, to: username) {
            let subject = LoginSlowdown.Subject.device(account: username, key: device)
            try self.beginLogIn([subject])
            return try await self.countedLogIn([subject]) {
                try await self.checkedLogIn(username: username, password: password, address: address)
            }
        }
        var subjects = [LoginSlowdown.Subject.login(account: username, address: address)]
        if let address { subjects.append(.address(address)) }
        try self.beginLogIn(subjects)
        do {
            if try await !self.isLoggedIn(username, from: address) {
                try self.beginLogIn([.account(username)])
                subjects.append(.account(username))
            }
        } catch {
            self.slowdown.withLock { $0.abandoned(subjects) }
            throw error
        }
        return try await self.countedLogIn(subjects) {
            try await self.checkedLogIn(username: username, password: password, address: address)
        }
    }

    /// Ends a login.
    ///
    /// - Throws: `unauthorized`, `unavailable`.
    /// - Returns: the login, whose sockets must close.
    func logOut(token: String) async throws -> Committed<EndedLogin> {
        let result = try await self.change(
            "DELETE FROM muster.session_token WHERE token_hash = $1 AND expires_at > $2 RETURNING id, provider, tokens",
            [.bytea(AccessToken(text: token).hash), .timestamptz(self.now)]
        )
        guard let row = result.first else { throw Self.deadToken }
        let login = try EndedLogin(row)
        try await self.deletePushTargets(of: login.id)
        return Committed(login, [.loginEnded(login.id)])
    }

    /// Ends all logins of the user of a token.
    ///
    /// - Throws: `unauthorized`, `unavailable`.
    /// - Returns: the login of the token; all sockets of the logins must close.
    func logOutEverywhere(token: String) async throws -> Committed<EndedLogin> {
        let hash = AccessToken(text: token).hash
        let result = try await self.change(
            """
            DELETE FROM muster.session_token WHERE user_id = (
                SELECT user_id FROM muster.session_token WHERE token_hash = $1 AND expires_at > $2
            )
            RETURNING id, provider, tokens, token_hash = $1 AS is_own
            """,
            [.bytea(hash), .timestamptz(self.now)]
        )
        guard let own = try result.first(where: { try $0.bool("is_own") }) else { throw Self.deadToken }
        let ended = try Self.ended(result)
        for login in ended.value { try await self.deletePushTargets(of: login) }
        return Committed(try EndedLogin(own), ended.changes)
    }

    /// Returns the user and the login of a token.
    ///
    /// - Throws: `unauthorized`, `unavailable`.
    func authenticate(token: String) async throws -> Authentication {
        let result = try await self.query(
            "SELECT id, user_id FROM muster.session_token WHERE token_hash = $1 AND expires_at > $2",
            [.bytea(AccessToken(text: token).hash), .timestamptz(self.now)]
        )
        guard let row = result.first else { throw Self.deadToken }
        return Authentication(user: try row.id("user_id"), login: try row.id("id"))
    }

    /// Returns those of some logins and users that are not stored.
    ///
    /// - Throws: `unavailable`.
    func ended(
        among logins: [LoginID],
        _ users: [UserID]
    ) async throws -> (logins: [LoginID], users: [UserID]) {
        let result = try await self.query(
            """
            SELECT false AS is_user, k.id FROM unnest($1::bigint[]) AS k (id)
            WHERE NOT EXISTS (SELECT FROM muster.session_token t WHERE t.id = k.id)
            UNION ALL SELECT true, k.id FROM unnest($2::bigint[]) AS k (id)
            WHERE NOT EXISTS (SELECT FROM muster.account a WHERE a.id = k.id)
            """,
            [.ids(logins), .ids(users)]
        )
        var ended: (logins: [LoginID], users: [UserID]) = ([], [])
        for row in result {
            if try row.bool("is_user") {
                ended.users.append(try row.id("id"))
            } else {
                ended.logins.append(try row.id("id"))
            }
        }
        return ended
    }

    static var deadToken: FrameError { FrameError(.unauthorized, message: "The token is unknown or has expired.") }

    private static var wrongLogin: FrameError { FrameError(.unauthorized, message: "Wrong username or password.") }

    private func beginLogIn(_ subjects: [LoginSlowdown.Subject]) throws {
        let now = self.clock.milliseconds
        guard let wait = self.slowdown.withLock({ $0.begin(subjects, now: now) }) else { return }
        throw FrameError(.rateLimited, message: "Too many failed logins.", retryAfter: wait)
    }

    /// Checks the password of a user, and counts failures as logins do.
    ///
    /// - Throws: `unauthorized` when it is wrong or the account has none, `rateLimited`, `unavailable`.
    func requirePassword(_ text: String, of user: UserID, address: String?) async throws {
        let password = Password(text)
        let result = try await self.query(
            "SELECT username, password_hash FROM muster.account WHERE id = $1",
            [.id(user)]
        )
        guard let row = result.first else { throw Self.deadToken }
        let subjects = [LoginSlowdown.Subject.login(account: try row.text("username"), address: address)]
        try self.beginLogIn(subjects)
        try await self.countedLogIn(subjects) {
            guard let hash = try row.optionalText("password_hash") else {
                try await self.hasher.pretend(password.prepared)
                throw Self.wrongPassword
            }
            guard password.isPossible || password.isPossibleAsTyped else { throw Self.wrongPassword }
            do {
                _ = try await self.replacement(for: hash, of: password)
            } catch let error as FrameError where error.code == .unauthorized {
                throw Self.wrongPassword
            }
        }
    }

    private static var wrongPassword: FrameError {
        FrameError(.unauthorized, message: "The current password is wrong.", field: "current")
    }

    /// Executes an attempt that was counted, and records its outcome.
    private func countedLogIn<Value>(
        _ subjects: [LoginSlowdown.Subject],
        _ attempt: () async throws -> Value
    ) async throws -> Value {
        do {
            let credentials = try await attempt()
            self.slowdown.withLock { $0.succeeded(subjects) }
            return credentials
        } catch {
            if FrameError(error).code != .unauthorized { self.slowdown.withLock { $0.abandoned(subjects) } }
            throw error
        }
    }

    /// How long a device counts as known after it was last seen, in milliseconds.
    static let deviceMemory: Int64 = 90 * 86_400_000

    /// Whether a device has said `hello` for an account within `deviceMemory`.
    private func isKnown(_ device: String, to username: String) async throws -> Bool {
        let result = try await self.query(
            """
            SELECT 1 AS one FROM muster.account a WHERE a.username = $1 AND (
                EXISTS (SELECT FROM muster.device d WHERE d.user_id = a.id AND d.key = $2 AND d.last_seen > $3)
                OR EXISTS (SELECT FROM muster.known_device k WHERE k.user_id = a.id
                    AND k.key_hash = sha256(convert_to($2, 'UTF8')) AND k.last_seen > $3))
            """,
            [.text(username), .text(device), .timestamptz(self.now - Self.deviceMemory)]
        )
        return !result.isEmpty
    }

    /// Whether an unexpired login of an account was made from an address.
    private func isLoggedIn(_ username: String, from address: String?) async throws -> Bool {
        guard let address else { return false }
        let result = try await self.query(
            """
            SELECT 1 AS one FROM muster.session_token t JOIN muster.account a ON a.id = t.user_id
            WHERE a.username = $1 AND t.address_hash = $2 AND t.expires_at > $3 LIMIT 1
            """,
            [.text(username), .bytea(self.addressHash(address)), .timestamptz(self.now)]
        )
        return !result.isEmpty
    }

    private func checkedLogIn(
        username: String,
        password: Password,
        address: String?
    ) async throws -> Credentials {
        let result = try await self.query(
            "SELECT id AS user_id, name, avatar, password_hash FROM muster.account WHERE username = $1",
            [.text(username)]
        )
        guard let row = result.first else {
            // The same amount of work as for an existing account.
            try await self.hasher.pretend(password.prepared)
            if password.isTypedOtherwise { try await self.hasher.pretend(password.typed) }
            throw Self.wrongLogin
        }
        let user = try row.profile()
        guard let hash = try row.optionalText("password_hash") else {
            // An account without a password takes as long to refuse as any other.
            try await self.hasher.pretend(password.prepared)
            if password.isTypedOtherwise { try await self.hasher.pretend(password.typed) }
            throw Self.wrongLogin
        }
        let newHash = try await self.replacement(for: hash, of: password)
        let now = self.now
        do {
            return try await self.transaction { transaction in
                if let newHash {
                    try await transaction.query(
                        "UPDATE muster.account SET password_hash = $3 WHERE id = $1 AND password_hash = $2",
                        [.id(user.id), .text(hash), .text(newHash)]
                    )
                }
                return try await self.makeLogin(of: user, from: address, now: now, in: transaction)
            }
        } catch let error as PostgresError where error.isForeignKeyViolation {
            // The account was deleted concurrently.
            throw Self.wrongLogin
        }
    }

    /// Checks a password, and returns a new hash when `hash` was made from the typed form.
    ///
    /// - Throws: `unauthorized` for a wrong password, `unavailable`.
    private func replacement(for hash: String, of password: Password) async throws -> String? {
        if try await self.hasher.verify(password.prepared, against: hash) { return nil }
        guard password.isTypedOtherwise, try await self.hasher.verify(password.typed, against: hash) else {
            throw Self.wrongLogin
        }
        // When the hasher is overloaded, the login succeeds without the new hash.
        return try? await self.hasher.hash(password.prepared)
    }

    /// Stores a new token, with the hash of the client's address when it is known, and with its source when another
    /// provider made the login.
    func makeLogin(
        of user: UserProfile,
        from address: String?,
        now: Timestamp,
        source: LoginSource? = nil,
        in transaction: PostgresTransaction
    ) async throws -> Credentials {
        let token = AccessToken()
        let login: LoginID = self.nextID(at: now)
        let expiresAt = now + self.configuration.tokenLifetime
        try await transaction.query(
            """
            INSERT INTO muster.session_token (id, user_id, token_hash, expires_at, created_at, address_hash,
                authenticated_at, identity_id, sid, provider, tokens)
            VALUES ($1, $2, $3, $4, $5, $6, $5, $7, $8, $9, $10)
            """,
            [
                .id(login), .id(user.id), .bytea(token.hash), .timestamptz(expiresAt), .timestamptz(now),
                .optional(address.map { self.addressHash($0) }), .optional(source?.identity.rawValue),
                .optional(source?.session), .optional(source?.provider), .optional(source?.tokens),
            ]
        )
        return Credentials(user: user, token: token.text, expiresAt: expiresAt)
    }
}
