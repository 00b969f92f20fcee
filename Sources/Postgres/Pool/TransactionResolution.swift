import EventLoop

// If a connection is lost between COMMIT and its response, the caller does not know whether the transaction took
// effect. PostgreSQL knows, by the transaction's number, which is queried when the transaction begins.

/// A query for the outcome of a transaction whose COMMIT got no response.
struct TransactionResolution: Sendable {
    /// The query for the number of the current transaction.
    ///
    /// It assigns a number if there is none.
    static let number: PostgresStatement = "SELECT pg_current_xact_id()::text AS number"
    /// The time limit of the queries while the database is unreachable, or the transaction is still in progress.
    private static let timeout = Duration.seconds(30)

    let number: String
    let pool: PoolShared

    /// Queries until the outcome is known.
    ///
    /// - Returns: whether the transaction was committed; also false when the outcome could not be determined.
    func isCommitted() async -> Bool {
        let end = ContinuousClock.now + Self.timeout
        var backoff = Backoff(shortest: 20, longest: 500)
        repeat {
            do throws(PostgresError) {
                switch try await self.status() {
                case "committed": return true
                case "in progress": break
                default: return false
                }
            } catch {
                guard error.isConnectionProblem, error.code != .poolClosed else { return false }
            }
            try? await Task.sleep(for: .milliseconds(backoff.fail()))
        } while ContinuousClock.now < end
        return false
    }

    private func status() async throws(PostgresError) -> String? {
        let statement = PostgresStatement("SELECT pg_xact_status($1::text::xid8) AS status", [.text(self.number)])
        let results = try await self.pool.run([statement], .anywhere, id: self.pool.makeID(), isCancellable: false)
        return try results[0].onlyRow()?.optionalText("status")
    }
}

extension PostgresError {
    /// Whether a COMMIT with this error may have taken effect.
    var leavesCommitInDoubt: Bool { self.code == .connectionLost || self.code == .timedOut }
}
