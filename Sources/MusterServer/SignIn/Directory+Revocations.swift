import MusterCore
import Postgres

/// Tokens of an ended login that wait to be revoked.
struct DueRevocation: Sendable {
    let id: Int64
    let provider: String
    /// The tokens, sealed.
    let tokens: [UInt8]
    /// The tries so far, with this one.
    let tries: Int64
}

extension Directory {
    /// Claims tokens that are due, for a minute.
    ///
    /// Uses PostgreSQL's clock, because triggers add the rows.
    ///
    /// - Throws: `unavailable`.
    func claimRevocations() async throws -> [DueRevocation] {
        try await self.query("DELETE FROM muster.token_revocation WHERE expires_at <= now()")
        let result = try await self.query(
            """
            UPDATE muster.token_revocation SET tries = tries + 1, next_at = now() + interval '1 minute'
            WHERE id IN (
                SELECT id FROM muster.token_revocation WHERE next_at <= now() ORDER BY next_at LIMIT 20
                FOR UPDATE SKIP LOCKED
            )
            RETURNING id, provider, tokens, tries::bigint AS tries
            """
        )
        return try result.map { row in
            DueRevocation(
                id: try row.int64("id"),
                provider: try row.text("provider"),
                tokens: try row.bytes("tokens"),
                tries: try row.int64("tries")
            )
        }
    }

    /// Removes tokens that are revoked.
    ///
    /// - Throws: `unavailable`.
    func finishRevocation(_ id: Int64) async throws {
        try await self.query("DELETE FROM muster.token_revocation WHERE id = $1", [.int64(id)])
    }

    /// Repeats a revocation after a delay.
    ///
    /// - Throws: `unavailable`.
    func postponeRevocation(_ id: Int64, milliseconds: Int64) async throws {
        try await self.query(
            "UPDATE muster.token_revocation SET next_at = now() + $2 * interval '1 millisecond' WHERE id = $1",
            [.int64(id), .float8(Double(milliseconds))]
        )
    }
}
