import EventLoop

// A connection that is lost between COMMIT and its answer leaves it open whether the transaction took effect. PostgreSQL knows, by
// the transaction's number, which is asked for when the transaction begins.

/// Finds out what became of a transaction whose COMMIT was not answered.
struct TransactionFate: Sendable {
    /// Asks for the number of the transaction that it is part of, which gets one if it has none.
    static let number: PostgresStatement = "SELECT pg_current_xact_id()::text AS number"
    /// For how long it is asked while the database is away, or still at it.
    private static let patience = Duration.seconds(30)

    let number: String
    let pool: PoolShared

    /// Asks until it is known whether the transaction was committed.
    ///
    /// - Returns: false also when that could not be found out.
    func isCommitted() async -> Bool {
        let end = ContinuousClock.now + Self.patience
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
    /// Whether a COMMIT that failed so may have taken effect all the same.
    var leavesCommitInDoubt: Bool { self.code == .connectionLost || self.code == .timedOut }
}
