package import Postgres

/// Why an import did not happen; then what was there before still serves.
package struct PlaceImportError: Error, Sendable {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// A file cannot be read, or is of no kind that is known.
        case unreadable
        /// More than one row in a hundred is damaged, or there is none.
        case badRows
        /// The database failed.
        case storage
    }

    /// The kind of failure.
    package let code: Code
    /// One sentence for people.
    package let message: String
    /// What the database said.
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

extension PlaceImportError: PostgresFailure {
    package init(_ error: PostgresError) { self.init(.storage, error.description, underlyingError: error) }
}

extension PlaceImportError: CustomStringConvertible {
    package var description: String { self.message }
}
