/// An error of the PostgreSQL client.
package struct PostgresError: Error, Sendable {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// The server could not be reached, or refused the connection.
        case connectFailed
        /// The connection broke; a statement in flight may or may not have taken effect.
        case connectionLost
        /// A deadline passed while waiting for a connection, for a response, or for the end of a transaction.
        case timedOut
        /// The waiting task was cancelled, or the session was interrupted.
        case cancelled
        /// The server rejected a statement; `sqlState` contains the reason.
        case server
        /// A statement of the same pipeline failed before this one was reached.
        case skipped
        /// The pool was closed.
        case poolClosed
        /// A column does not have the requested type or value.
        case decoding
        /// The library was used in a way that the protocol does not allow.
        case misuse
        /// A migration file is missing, was changed after it was applied, or has a bad name.
        case migration
        /// The private cluster could not be created or run.
        case cluster
    }

    /// The kind of failure.
    package let code: Code
    /// A message that is safe to log; it never contains parameters.
    package let message: String
    /// The five characters of SQLSTATE; nil if the server sent none.
    package let sqlState: String?
    /// The violated constraint; nil if the server named none.
    let constraint: String?
    /// The server's DETAIL, which may quote data; not part of `description`.
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

    /// Whether the server's disk is full.
    package var isOutOfSpace: Bool { self.sqlState == "53100" }

    /// Whether a foreign key was violated.
    package var isForeignKeyViolation: Bool { self.sqlState == "23503" }

    /// Whether a check constraint was violated.
    package var isCheckViolation: Bool { self.sqlState == "23514" }

    /// Whether a retry of the same transaction may succeed: after a serialization failure or a deadlock.
    package var isRetryable: Bool { self.sqlState == "40001" || self.sqlState == "40P01" }

    /// Whether the server rejects the login or the database name.
    package var isRefusal: Bool {
        self.code == .connectFailed && (self.sqlState.map { $0.hasPrefix("28") || $0 == "3D000" } ?? false)
    }

    /// Whether the statement failed because of its data, so that it would fail again.
    package var isFaultOfTheData: Bool {
        // Cardinality and data exceptions, integrity violations, program limits, exceptions of functions.
        ["21", "22", "23", "54", "P0"].contains { self.sqlState?.hasPrefix($0) == true }
    }

    /// Whether the cause is the connection or the server's state, not the statement or its data.
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
    /// Parses a libpq error of a connection: `… FATAL:  28P01: password authentication failed …`, followed by a line
    /// with the position in PostgreSQL's source, which is dropped.
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
