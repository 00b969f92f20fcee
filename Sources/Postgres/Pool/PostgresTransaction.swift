/// A connection lent to the body of a transaction; of no use once the body has returned.
package struct PostgresTransaction: Sendable {
    let lease: UInt64
    let shared: PoolShared

    /// Runs one statement in the transaction.
    @discardableResult
    package func query(
        _ sql: String,
        _ parameters: [PostgresValue] = []
    ) async throws(PostgresError) -> PostgresResult {
        try await self.pipeline([PostgresStatement(sql, parameters)])[0]
    }

    /// Runs several statements in one round trip; the first that fails skips the rest and its error is thrown.
    @discardableResult
    package func pipeline(
        _ statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] {
        try await self.shared.run(statements, .lease(self.lease), id: self.shared.makeID(), isCancellable: true)
    }

    /// Commits and returns the connection, whether or not the task was cancelled meanwhile.
    func commit() async throws(PostgresError) {
        // After a statement that failed, and whose error the body kept to itself, COMMIT rolls back and calls it success.
        if try await self.end("COMMIT").command == "ROLLBACK" {
            throw PostgresError(
                .server,
                message: "a statement of the transaction had failed, so all of it was rolled back",
                sqlState: "25P02"
            )
        }
    }

    /// Rolls back and returns the connection, whether or not the task was cancelled meanwhile.
    func rollBack() async {
        // When this fails, the connection is gone and the server has rolled back by itself.
        _ = try? await self.end("ROLLBACK")
    }

    private func end(_ statement: PostgresStatement) async throws(PostgresError) -> PostgresResult {
        let id = self.shared.makeID()
        return try await self.shared.run([statement], .endOfLease(self.lease), id: id, isCancellable: false)[0]
    }
}
