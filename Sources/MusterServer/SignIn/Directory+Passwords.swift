import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// How long ago the proof of who uses a login may be for changes of the ways to log in, in milliseconds.
    static let proofLifetime: Int64 = 600_000

    /// The error when the proof is too old.
    static var proofTooOld: FrameError {
        var error = FrameError(.unauthorized, message: "Log in again to show that it is you, then repeat the request.")
        error.needsNewLogin = true
        return error
    }

    /// Returns the user and the login of a token whose user proved who they are at most ten minutes ago.
    ///
    /// - Throws: `unauthorized`, with `needsNewLogin` when only the proof is too old; `unavailable`.
    func authenticateRecent(token: String) async throws -> Authentication {
        let result = try await self.query(
            """
            SELECT id, user_id, coalesce(authenticated_at, created_at) > $3 AS is_recent
            FROM muster.session_token WHERE token_hash = $1 AND expires_at > $2
            """,
            [
                .bytea(AccessToken(text: token).hash), .timestamptz(self.now),
                .timestamptz(self.now - Self.proofLifetime),
            ]
        )
        guard let row = result.first else { throw Self.deadToken }
        guard try row.bool("is_recent") else { throw Self.proofTooOld }
        return Authentication(user: try row.id("user_id"), login: try row.id("id"))
    }

    /// Records that the user of a login has proved who they are.
    ///
    /// - Throws: `unavailable`.
    func noteProof(of asker: Authentication) async throws {
        try await self.query(
            "UPDATE muster.session_token SET authenticated_at = $2 WHERE id = $1",
            [.id(asker.login), .timestamptz(self.now)]
        )
    }

    /// Sets or changes the password of a user, and ends their other logins.
    ///
    /// - Throws: `badRequest`, `unavailable`.
    /// - Returns: the ended logins.
    func setPassword(of asker: Authentication, to text: String) async throws -> Committed<[LoginID]> {
        let password = Password(text)
        try require(password.isPossible, "new", "must have 8 to 256 characters")
        let hash = try await self.hasher.hash(password.prepared)
        return try await self.transaction { transaction in
            try await transaction.query(
                "UPDATE muster.account SET password_hash = $2 WHERE id = $1",
                [.id(asker.user), .text(hash)]
            )
            let ended = try await transaction.query(
                "DELETE FROM muster.session_token WHERE user_id = $1 AND id <> $2 RETURNING id",
                [.id(asker.user), .id(asker.login)]
            )
            return try Self.ended(ended)
        }
    }

    /// Whether a user has a password.
    ///
    /// - Throws: `unavailable`.
    func hasPassword(_ user: UserID) async throws -> Bool {
        let result = try await self.query(
            "SELECT password_hash IS NOT NULL AS has_password FROM muster.account WHERE id = $1",
            [.id(user)]
        )
        return try result.first?.bool("has_password") ?? false
    }
}
