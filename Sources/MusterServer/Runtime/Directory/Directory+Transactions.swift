import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Runs `body` in a transaction, and repeats it after a deadlock.
    func transaction<Value: Sendable>(
        _ body: (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        // Numbered, because stored changes must reach the world even when the connection is lost after the COMMIT.
        try await self.untilNoDeadlock { try await self.pool.transaction(isNumbered: true, body) }
    }

    /// Runs one statement whose changes must be published, in a transaction whose outcome can be determined.
    @discardableResult
    func change(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> PostgresResult {
        try await self.transaction { try await $0.query(sql, parameters) }
    }

    /// Runs one statement in a transaction of its own, and repeats it after a deadlock.
    @discardableResult
    func query(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> PostgresResult {
        try await self.untilNoDeadlock { try await self.pool.query(sql, parameters) }
    }

    /// Runs `body` up to five times while it loses deadlocks.
    ///
    /// The random delays between the attempts grow, so that the same transactions do not collide again.
    private func untilNoDeadlock<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        var losses = 0
        while true {
            do {
                return try await body()
            } catch let error as PostgresError where error.isRetryable && losses < 4 {
                losses += 1
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0...10 << losses)))
            }
        }
    }
}

extension FrameError {
    /// Converts any error of a request to the error of the wire, without details of storage.
    init(_ error: any Error) {
        switch error {
        case let error as FrameError: self = error
        case let error as PostgresError where error.isConnectionProblem || error.isRetryable:
            self.init(.unavailable, message: "Storage is unavailable.")
        case is PostgresError: self.init(.internal, message: "Storage failed.")
        default: self.init(.internal, message: "The request failed because of an error in the server.")
        }
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
