import MusterCore
import Postgres

/// A transaction that throws `DirectoryError`.
struct DirectoryTransaction {
    private let base: PostgresTransaction

    init(_ base: PostgresTransaction) { self.base = base }

    /// Runs one statement.
    @discardableResult
    func query(_ sql: String, _ parameters: [PostgresValue] = []) async throws(DirectoryError) -> PostgresResult {
        do throws(PostgresError) {
            return try await self.base.query(sql, parameters)
        } catch {
            throw DirectoryError(error)
        }
    }

    /// Runs several statements in one round trip; each sees everything that was committed before it began.
    @discardableResult
    func pipeline(_ statements: [PostgresStatement]) async throws(DirectoryError) -> [PostgresResult] {
        do throws(PostgresError) {
            return try await self.base.pipeline(statements)
        } catch {
            throw DirectoryError(error)
        }
    }

    /// Runs the last statements and commits, in one round trip; the transaction is unusable afterwards.
    @discardableResult
    func commit(with statements: [PostgresStatement]) async throws(DirectoryError) -> [PostgresResult] {
        do throws(PostgresError) {
            return try await self.base.commit(with: statements)
        } catch {
            throw DirectoryError(error)
        }
    }
}

extension Directory {
    /// Runs `body` in a transaction, and repeats it after a deadlock.
    func transaction<Value: Sendable>(
        _ body: (DirectoryTransaction) async throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        try await self.untilNoDeadlock { () async throws(DirectoryError) -> Value in
            // Numbered, because stored changes must reach the world even when the connection is lost after the COMMIT.
            try await self.pool.transaction(isNumbered: true) { (transaction) async throws(DirectoryError) -> Value in
                try await body(DirectoryTransaction(transaction))
            }
        }
    }

    /// Runs one statement whose changes must be published, in a transaction whose outcome can be determined.
    @discardableResult
    func change(_ sql: String, _ parameters: [PostgresValue] = []) async throws(DirectoryError) -> PostgresResult {
        try await self.transaction { (transaction) async throws(DirectoryError) -> PostgresResult in
            try await transaction.query(sql, parameters)
        }
    }

    /// Runs one statement in a transaction of its own, and repeats it after a deadlock.
    @discardableResult
    func query(_ sql: String, _ parameters: [PostgresValue] = []) async throws(DirectoryError) -> PostgresResult {
        try await self.untilNoDeadlock { () async throws(DirectoryError) -> PostgresResult in
            do throws(PostgresError) {
                return try await self.pool.query(sql, parameters)
            } catch {
                throw DirectoryError(error)
            }
        }
    }

    /// Runs `body` up to five times while it loses deadlocks.
    ///
    /// The random delays between the attempts grow, so that the same transactions do not collide again.
    private func untilNoDeadlock<Value: Sendable>(
        _ body: () async throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        var losses = 0
        while true {
            do throws(DirectoryError) {
                return try await body()
            } catch {
                losses += 1
                guard error.underlyingError?.isRetryable == true, losses < 5 else { throw error }
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0...10 << losses)))
            }
        }
    }
}

/// Reads columns; a column of an unexpected type is an internal error.
func decoding<Value>(_ body: () throws(PostgresError) -> Value) throws(DirectoryError) -> Value {
    do throws(PostgresError) {
        return try body()
    } catch {
        throw DirectoryError(.internal, "storage failed", underlyingError: error)
    }
}

extension PostgresValue {
    /// A timestamp.
    static func timestamptz(_ moment: Timestamp) -> Self { .timestamptz(unixMilliseconds: moment.milliseconds) }

    /// An id.
    static func id<Subject>(_ id: Identifier<Subject>) -> Self { .int64(id.rawValue) }

    /// An array of ids.
    static func ids<Subject>(_ ids: some Sequence<Identifier<Subject>>) -> Self {
        // A closure, because a key path would make the array of optionals in a second step.
        .int64Array(ids.map { $0.rawValue })
    }
}

extension PostgresRow {
    /// An id.
    func id<Subject>(_ column: String) throws(PostgresError) -> Identifier<Subject> {
        Identifier(try self.int64(column))
    }

    /// A timestamp.
    func timestamp(_ column: String) throws(PostgresError) -> Timestamp {
        Timestamp(milliseconds: try self.unixMilliseconds(column))
    }

    /// A timestamp, or nil for NULL.
    func optionalTimestamp(_ column: String) throws(PostgresError) -> Timestamp? {
        try self.optionalUnixMilliseconds(column).map(Timestamp.init(milliseconds:))
    }

    /// An enum case by its raw value.
    func choice<Choice: RawRepresentable<String>>(_ column: String) throws(PostgresError) -> Choice {
        let text = try self.text(column)
        guard let choice = Choice(rawValue: text) else {
            throw PostgresError(.decoding, message: "column \"\(column)\" holds an unknown word")
        }
        return choice
    }
}
