package import Postgres

/// Why the directory refused, or could not do, what was asked of it.
package struct DirectoryError: Error, Sendable {
    /// The kind of failure; each is an error code of PROTOCOL 9.
    package enum Code: Hashable, Sendable {
        /// A field does not hold what it must; names the field.
        case badRequest(field: String)
        /// The token is unknown, expired or revoked, or name and password do not belong together.
        case unauthorized
        /// Only the owner of the group may do that.
        case forbidden
        /// There is no such thing.
        case notFound
        /// The user is not in the group.
        case notMember
        /// The name is taken, or the group is full.
        case conflict
        /// The invite has expired, was used up or was revoked.
        case gone
        /// Asked too often; may be asked again in so many milliseconds.
        case rateLimited(retryAfter: Int64)
        /// Storage is away, or has too much to do.
        case unavailable
        /// A bug.
        case `internal`
    }

    /// The kind of failure.
    package let code: Code
    /// One sentence for the client; holds no secret.
    package let message: String
    /// What the database said, for the log.
    package let underlyingError: PostgresError?
    /// The file that raised the error.
    package let file: StaticString
    /// The line that raised the error.
    package let line: UInt

    /// Creates an error.
    package init(
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
            self.init(.unavailable, "storage is away", underlyingError: error)
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
