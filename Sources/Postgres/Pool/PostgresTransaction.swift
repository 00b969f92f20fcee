import Synchronization

/// A connection lent to the body of a transaction; of no use once the body has returned.
///
/// BEGIN goes with the first statements, and the last ones may take COMMIT along: so a transaction that reads and then
/// writes is two round trips. Its statements are asked for one after the other.
package struct PostgresTransaction: Sendable {
    let lease: UInt64
    let shared: PoolShared
    /// Whether its number is asked for when it begins.
    private let isNumbered: Bool
    private let stage = TransactionStage()

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

    /// Runs several statements in one round trip; the first that fails skips the rest and its error is thrown.
    @discardableResult
    package func pipeline(
        _ statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] {
        switch self.stage.advance(to: .open) {
        case .ahead:
            let opening = self.isNumbered ? ["BEGIN", TransactionFate.number] : ["BEGIN"]
            let results = try await self.shared.run(
                opening + statements,
                .newLease,
                id: self.lease,
                isCancellable: true
            )
            if self.isNumbered { self.stage.note(number: try results[1].onlyRow()?.text("number")) }
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

    /// Runs the last statements and commits, in one round trip; when one fails, all of the transaction is rolled back.
    ///
    /// Locks that these statements take wait for nobody's round trip. Nothing can be asked of the transaction any more, and
    /// what is behind this in its body must not fail. It is not cancelled: the statements are run.
    /// When it was committed, but the answer is lost, the statements of a numbered transaction are run again by themselves for
    /// what they answer: run twice, they must have the effect of once.
    @discardableResult
    package func commit(
        with statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] {
        switch self.stage.advance(to: .over) {
        case .ahead:
            return try await self.shared.run(statements, .anywhere, id: self.shared.makeID(), isCancellable: false)
        case .open:
            if let results = try await self.commitSurely(behind: statements) { return results }
            guard !statements.isEmpty else { return [] }
            return try await self.shared.run(statements, .anywhere, id: self.shared.makeID(), isCancellable: false)
        case .over: throw PostgresError(.misuse, message: "the transaction has ended")
        }
    }

    /// Commits and returns the connection, whether or not the task was cancelled meanwhile.
    func commit() async throws(PostgresError) {
        guard self.stage.advance(to: .over) == .open else { return }
        _ = try await self.commitSurely(behind: [])
    }

    /// Commits behind some last statements.
    ///
    /// - Returns: what those answered; nil when it was committed and their answers are lost.
    private func commitSurely(
        behind statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult]? {
        do {
            let results = try await self.end(statements + ["COMMIT"])
            try Self.check(results.last)
            return results.dropLast()
        } catch {
            guard let number = self.stage.number, error.leavesCommitInDoubt else { throw error }
            let fate = TransactionFate(number: number, pool: self.shared)
            // A task of its own, which is not cancelled with this one.
            guard await Task(operation: { await fate.isCommitted() }).value else { throw error }
            return nil
        }
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
    private let numberBox = Mutex<String?>(nil)

    /// The transaction's number; nil when it was not asked for, or has not begun.
    var number: String? { self.numberBox.withLock { $0 } }

    /// Notes the transaction's number.
    func note(number: String?) { self.numberBox.withLock { $0 = number } }

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
