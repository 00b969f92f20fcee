import Synchronization

/// A leased connection for the body of a transaction.
///
/// It must not be used after the body has returned.
///
/// BEGIN is sent with the first statements, and the last statements can include COMMIT. So a transaction that reads and
/// then writes needs two round trips. Statements of a transaction must not be concurrent.
package struct PostgresTransaction: Sendable {
    let lease: UInt64
    let shared: PoolShared
    /// Whether the transaction's number is queried when it begins.
    private let isNumbered: Bool
    private let phase = TransactionState()

    init(lease: UInt64, shared: PoolShared, isNumbered: Bool) {
        self.lease = lease
        self.shared = shared
        self.isNumbered = isNumbered
    }

    /// Runs one statement in the transaction.
    @discardableResult
    package func query(
        _ sql: String,
        _ parameters: [PostgresValue] = []
    ) async throws(PostgresError) -> PostgresResult {
        try await self.pipeline([PostgresStatement(sql, parameters)])[0]
    }

    /// Runs several statements in one round trip.
    ///
    /// The first error skips the rest and is thrown.
    @discardableResult
    package func pipeline(
        _ statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] {
        switch self.phase.advance(to: .open) {
        case .ahead:
            let opening = self.isNumbered ? ["BEGIN", TransactionResolution.number] : ["BEGIN"]
            let results = try await self.shared.run(
                opening + statements,
                .newLease,
                id: self.lease,
                isCancellable: true
            )
            if self.isNumbered { self.phase.note(number: try results[1].onlyRow()?.text("number")) }
            return Array(results.dropFirst(opening.count))
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

    /// Runs the last statements and commits, in one round trip.
    ///
    /// When one fails, the whole transaction is rolled back.
    ///
    /// Locks of these statements are not held during a round trip. The transaction accepts no further statements, and
    /// the rest of its body must not fail. The call is not cancellable: the statements always run. If a numbered
    /// transaction was committed but its response is lost, the statements run again, outside the transaction, for their
    /// results. So they must be idempotent.
    @discardableResult
    package func commit(
        with statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] {
        switch self.phase.advance(to: .over) {
        case .ahead:
            return try await self.shared.run(statements, .anywhere, id: self.shared.makeID(), isCancellable: false)
        case .open:
            if let results = try await self.commitSurely(behind: statements) { return results }
            guard !statements.isEmpty else { return [] }
            return try await self.shared.run(statements, .anywhere, id: self.shared.makeID(), isCancellable: false)
        case .over: throw PostgresError(.misuse, message: "the transaction has ended")
        }
    }

    /// Commits and returns the connection, even if the task was cancelled.
    func commit() async throws(PostgresError) {
        guard self.phase.advance(to: .over) == .open else { return }
        _ = try await self.commitSurely(behind: [])
    }

    /// Commits after some last statements.
    ///
    /// - Returns: their results; nil when the transaction was committed but the results are lost.
    private func commitSurely(
        behind statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult]? {
        do {
            let results = try await self.end(statements + ["COMMIT"])
            try Self.check(results.last)
            return results.dropLast()
        } catch {
            guard let number = self.phase.number, error.leavesCommitInDoubt else { throw error }
            let fate = TransactionResolution(number: number, pool: self.shared)
            // A separate task, so that it is not cancelled with this one.
            guard await Task(operation: { await fate.isCommitted() }).value else { throw error }
            return nil
        }
    }

    /// Rolls back and returns the connection, even if the task was cancelled.
    func rollBack() async {
        guard self.phase.advance(to: .over) == .open else { return }
        // When this fails, the connection is lost and the server has rolled back.
        _ = try? await self.end(["ROLLBACK"])
    }

    /// Throws if COMMIT rolled back: after a failed statement whose error the body ignored, COMMIT rolls back but
    /// reports success.
    private static func check(_ commit: PostgresResult?) throws(PostgresError) {
        if commit?.command == "ROLLBACK" {
            throw PostgresError(
                .server,
                message: "a statement of the transaction failed, so the transaction was rolled back",
                sqlState: "25P02"
            )
        }
    }

    private func end(_ statements: [PostgresStatement]) async throws(PostgresError) -> [PostgresResult] {
        try await self.shared.run(statements, .endOfLease(self.lease), id: self.shared.makeID(), isCancellable: false)
    }
}

/// The stage of a transaction.
private final class TransactionState: Sendable {
    enum Phase {
        /// It has no connection yet.
        case ahead
        case open
        /// It was committed or rolled back, or the attempt has been made.
        case over
    }

    private let phase = Mutex(Phase.ahead)
    private let numberBox = Mutex<String?>(nil)

    /// The transaction's number; nil when it was not queried, or the transaction has not begun.
    var number: String? { self.numberBox.withLock { $0 } }

    /// Stores the transaction's number.
    func note(number: String?) { self.numberBox.withLock { $0 = number } }

    /// Advances to the next stage.
    ///
    /// The stage `over` is final.
    ///
    /// - Returns: the previous stage.
    func advance(to next: Phase) -> Phase {
        self.phase.withLock { phase in
            defer { if phase != .over { phase = next } }
            return phase
        }
    }
}
