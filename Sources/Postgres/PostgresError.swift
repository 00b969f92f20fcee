/// An error raised while talking to PostgreSQL.
package struct PostgresError: Error, Sendable {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// The server could not be reached, or refused the connection.
        case connectFailed
        /// The connection broke; a statement in flight may or may not have taken effect.
        case connectionLost
        /// A deadline passed: waiting for a connection, for an answer, or for the end of a transaction.
        case timedOut
        /// The waiting task was cancelled, or the session was interrupted.
        case cancelled
        /// The server rejected a statement; `sqlState` says why.
        case server
        /// A statement of the same pipeline failed before this one was reached.
        case skipped
        /// The pool was closed.
        case poolClosed
        /// A column does not hold what was asked of it.
        case decoding
        /// The library was used in a way that the protocol does not allow.
        case misuse
        /// A migration file is missing, was changed after it was applied, or has a bad name.
        case migration
        /// The private cluster could not be made or run.
        case cluster
    }

    /// The kind of failure.
    package let code: Code
    /// What went wrong, safe to log: never holds parameters.
    package let message: String
    /// The five characters of SQLSTATE, where the server said them.
    package let sqlState: String?
    /// The constraint that was violated, where the server named one.
    package let constraint: String?
    /// The server's DETAIL, which may quote data; kept out of `description`.
    package let detail: String?
    /// The file that raised the error.
    package let file: StaticString
    /// The line that raised the error.
    package let line: UInt

    /// Creates an error.
    package init(
        _ code: Code,
        message: String,
        sqlState: String? = nil,
        constraint: String? = nil,
        detail: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
        self.constraint = constraint
        self.detail = detail
        self.file = file
        self.line = line
    }
}

extension PostgresError {
    /// Whether a unique constraint was violated.
    package var isUniqueViolation: Bool { self.sqlState == "23505" }

    /// Whether a foreign key was violated.
    package var isForeignKeyViolation: Bool { self.sqlState == "23503" }

    /// Whether a check constraint was violated.
    package var isCheckViolation: Bool { self.sqlState == "23514" }

    /// Whether the same transaction may succeed when it is run again: a serialization failure or a deadlock.
    package var isRetryable: Bool { self.sqlState == "40001" || self.sqlState == "40P01" }

    /// Whether the server refuses the connection for whom or what it names: the login, or a database that is not there.
    package var isRefusal: Bool {
        self.code == .connectFailed && (self.sqlState.map { $0.hasPrefix("28") || $0 == "3D000" } ?? false)
    }

    /// Whether the statement failed for what it carried, so that it would fail again.
    package var isFaultOfTheData: Bool {
        // Cardinality and data exceptions, integrity violations, limits of the program, exceptions of functions.
        ["21", "22", "23", "54", "P0"].contains { self.sqlState?.hasPrefix($0) == true }
    }

    /// Whether the trouble lies with the connection or the server's state, not with the statement or its data.
    package var isConnectionProblem: Bool {
        switch self.code {
        case .connectFailed, .connectionLost, .timedOut, .poolClosed, .cluster:
            true
        case .server:
            // Connection exceptions, insufficient resources, operator intervention, system errors.
            ["08", "53", "57", "58"].contains { self.sqlState?.hasPrefix($0) == true }
        case .cancelled, .skipped, .decoding, .misuse, .migration:
            false
        }
    }
}

extension PostgresError {
    /// Reads what libpq says of a connection: `… FATAL:  28P01: password authentication failed …`, and a line with the place in
    /// PostgreSQL's source that is of no use to anybody.
    init(_ code: Code, saidByLibrary text: String, file: StaticString = #fileID, line: UInt = #line) {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
        let message = lines.joined(separator: "\n")
        let match = message.firstMatch(of: #/:  ([0-9A-Z]{5}): /#)
        self.init(
            code,
            message: match.map { String(message[..<$0.range.lowerBound] + ":  " + message[$0.range.upperBound...]) }
                ?? message,
            sqlState: match.map { String($0.1) },
            file: file,
            line: line
        )
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        let state = self.sqlState.map { " [\($0)]" } ?? ""
        return "\(self.code)\(state): \(self.message)"
    }

    package var debugDescription: String {
        let detail = self.detail.map { " (\($0))" } ?? ""
        return "\(self.description)\(detail) at \(self.file):\(self.line)"
    }
}

/// An error that a failure of the database can become, so that a transaction's body may throw errors of its own.
package protocol PostgresFailure: Error {
    /// Wraps a failure of the database.
    init(_ error: PostgresError)
}

extension PostgresError: PostgresFailure {
    package init(_ error: PostgresError) { self = error }
}
