/// A connection lent to the body of a transaction; of no use once the body has returned.
package struct PostgresTransaction: Sendable {
    /// Runs one statement in the transaction.
    package func query(
        _ sql: String,
        _ parameters: [PostgresValue] = []
    ) async throws(PostgresError) -> PostgresResult { preconditionFailure("skeleton") }

    /// Runs several statements in one round trip; the first that fails skips the rest and its error is thrown.
    package func pipeline(
        _ statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] { preconditionFailure("skeleton") }
}
