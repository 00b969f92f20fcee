import MusterCore
import Postgres

/// A transaction of the directory, whose failures are the directory's.
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

    /// Runs several statements in one round trip, each seeing what was committed before it began.
    @discardableResult
    func pipeline(_ statements: [PostgresStatement]) async throws(DirectoryError) -> [PostgresResult] {
        do throws(PostgresError) {
            return try await self.base.pipeline(statements)
        } catch {
            throw DirectoryError(error)
        }
    }

    /// Runs the last statements and commits, in one round trip; nothing can be asked of the transaction any more.
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
    /// Runs `body` in a transaction; again, when it lost a deadlock.
    func transaction<Value: Sendable>(
        _ body: (DirectoryTransaction) async throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        try await self.untilNoDeadlock { () async throws(DirectoryError) -> Value in
            // Numbered: what is stored must be told to the world, also when the connection is lost behind the COMMIT.
            try await self.pool.transaction(isNumbered: true) { (transaction) async throws(DirectoryError) -> Value in
                try await body(DirectoryTransaction(transaction))
            }
        }
    }

    /// Runs one statement that others must hear of in a transaction, of which it is known whether it was committed.
    @discardableResult
    func change(_ sql: String, _ parameters: [PostgresValue] = []) async throws(DirectoryError) -> PostgresResult {
        try await self.transaction { (transaction) async throws(DirectoryError) -> PostgresResult in
            try await transaction.query(sql, parameters)
        }
    }

    /// Runs one statement in a transaction of its own; again, when it lost a deadlock.
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

    /// Runs `body` up to five times, as long as it loses deadlocks; between them are pauses by chance, each longer than the one
    /// before, so that those who met do not meet again.
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

/// Reads cells; a column of the wrong shape is a bug of ours.
func decoding<Value>(_ body: () throws(PostgresError) -> Value) throws(DirectoryError) -> Value {
    do throws(PostgresError) {
        return try body()
    } catch {
        throw DirectoryError(.internal, "storage failed", underlyingError: error)
    }
}

extension PostgresValue {
    /// A moment.
    static func timestamptz(_ moment: Timestamp) -> Self { .timestamptz(unixMilliseconds: moment.milliseconds) }

    /// An identity.
    static func id<Subject>(_ id: Identifier<Subject>) -> Self { .int64(id.rawValue) }

    /// Identities.
    static func ids<Subject>(_ ids: some Sequence<Identifier<Subject>>) -> Self {
        // A closure, because a key path would make the array of optionals in a second step.
        .int64Array(ids.map { $0.rawValue })
    }
}

extension PostgresRow {
    /// An identity.
    func id<Subject>(_ column: String) throws(PostgresError) -> Identifier<Subject> {
        Identifier(try self.int64(column))
    }

    /// A moment.
    func timestamp(_ column: String) throws(PostgresError) -> Timestamp {
        Timestamp(milliseconds: try self.unixMilliseconds(column))
    }

    /// A moment, or nil for NULL.
    func optionalTimestamp(_ column: String) throws(PostgresError) -> Timestamp? {
        try self.optionalUnixMilliseconds(column).map(Timestamp.init(milliseconds:))
    }

    /// A case of one of our enums by its raw value.
    func choice<Choice: RawRepresentable<String>>(_ column: String) throws(PostgresError) -> Choice {
        let text = try self.text(column)
        guard let choice = Choice(rawValue: text) else {
            throw PostgresError(.decoding, message: "column \"\(column)\" holds an unknown word")
        }
        return choice
    }
}
