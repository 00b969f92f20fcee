package import Postgres

/// An error of the directory.
package struct DirectoryError: Error, Sendable {
    /// The kind of failure; each corresponds to an error code of public/docs/protocol.md#errors.
    package enum Code: Hashable, Sendable {
        /// The named field is invalid.
        case badRequest(field: String)
        /// The token is unknown, expired or revoked, or the username or password is wrong.
        case unauthorized
        /// Only the owner of the group is allowed to do this.
        case forbidden
        /// The thing does not exist.
        case notFound
        /// The user is not in the group.
        case notMember
        /// The name is taken, or the group is full.
        case conflict
        /// The invite has expired, was used up or was revoked.
        case gone
        /// Too many requests; a retry is possible after the given number of milliseconds.
        case rateLimited(retryAfter: Int64)
        /// Storage is unreachable or overloaded.
        case unavailable
        /// An internal error.
        case `internal`
    }

    /// The kind of failure.
    package let code: Code
    /// One sentence for the client, without secrets.
    package let message: String
    /// The database error, for the log.
    package let underlyingError: PostgresError?
    /// The file that raised the error.
    package let file: StaticString
    /// The line that raised the error.
    package let line: UInt

    /// Creates an error.
    init(
        _ code: Code,
        _ message: String,
        underlyingError: PostgresError? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
        self.file = file
        self.line = line
    }
}

extension DirectoryError: PostgresFailure {
    package init(_ error: PostgresError) {
        if error.isConnectionProblem || error.isRetryable {
            self.init(.unavailable, "storage is unavailable", underlyingError: error)
        } else {
            self.init(.internal, "storage failed", underlyingError: error)
        }
    }
}

extension DirectoryError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.message }

    package var debugDescription: String {
        let cause = self.underlyingError.map { " (\($0.debugDescription))" } ?? ""
        return "\(self.code): \(self.message)\(cause) at \(self.file):\(self.line)"
    }
}
