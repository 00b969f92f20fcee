import Synchronization

/// A connection lent to the body of a transaction; of no use once the body has returned.
///
/// BEGIN goes with the first statements, and the last ones may take COMMIT along: so a transaction that reads and then
/// writes is two round trips. Its statements are asked for one after the other.
package struct PostgresTransaction: Sendable {
    let lease: UInt64
    let shared: PoolShared
    private let stage = TransactionStage()

    init(lease: UInt64, shared: PoolShared) {
        self.lease = lease
        self.shared = shared
    }

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
        switch self.stage.advance(to: .open) {
        case .ahead:
            let results = try await self.shared.run(
                ["BEGIN"] + statements,
                .newLease,
                id: self.lease,
                isCancellable: true
            )
            return Array(results.dropFirst())
        case .open:
            return try await self.shared.run(
                statements,
                .lease(self.lease),
                id: self.shared.makeID(),
                isCancellable: true
            )
        case .over: throw PostgresError(.misuse, message: "the transaction has ended")
        }
    }

    /// Runs the last statements and commits, in one round trip; when one fails, all of the transaction is rolled back.
    ///
    /// Locks that these statements take wait for nobody's round trip. Nothing can be asked of the transaction any more, and
    /// what is behind this in its body must not fail. It is not cancelled: the statements are run.
    @discardableResult
    package func commit(
        with statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] {
        switch self.stage.advance(to: .over) {
        case .ahead:
            return try await self.shared.run(statements, .anywhere, id: self.shared.makeID(), isCancellable: false)
        case .open:
            let results = try await self.end(statements + ["COMMIT"])
            try Self.check(results.last)
            return results.dropLast()
        case .over: throw PostgresError(.misuse, message: "the transaction has ended")
        }
    }

    /// Commits and returns the connection, whether or not the task was cancelled meanwhile.
    func commit() async throws(PostgresError) {
        guard self.stage.advance(to: .over) == .open else { return }
        try Self.check(try await self.end(["COMMIT"]).last)
    }

    /// Rolls back and returns the connection, whether or not the task was cancelled meanwhile.
    func rollBack() async {
        guard self.stage.advance(to: .over) == .open else { return }
        // When this fails, the connection is gone and the server has rolled back by itself.
        _ = try? await self.end(["ROLLBACK"])
    }

    /// After a statement that failed, and whose error the body kept to itself, COMMIT rolls back and calls it success.
    private static func check(_ commit: PostgresResult?) throws(PostgresError) {
        if commit?.command == "ROLLBACK" {
            throw PostgresError(
                .server,
                message: "a statement of the transaction had failed, so all of it was rolled back",
                sqlState: "25P02"
            )
        }
    }

    private func end(_ statements: [PostgresStatement]) async throws(PostgresError) -> [PostgresResult] {
        try await self.shared.run(statements, .endOfLease(self.lease), id: self.shared.makeID(), isCancellable: false)
    }
}

/// How far a transaction has come.
private final class TransactionStage: Sendable {
    enum Stage {
        /// It has no connection yet.
        case ahead
        case open
        /// It was committed or rolled back, or that was tried.
        case over
    }

    private let stage = Mutex(Stage.ahead)

    /// Goes on.
    ///
    /// - Returns: how far it was; what is over stays over.
    func advance(to next: Stage) -> Stage {
        self.stage.withLock { stage in
            defer { if stage != .over { stage = next } }
            return stage
        }
    }
}
