import Postgres

/// An error of an import; the previous state of the gazetteer stays in use.
package struct PlaceImportError: Error, Sendable {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// A file cannot be read, or has an unsupported format.
        case unreadable
        /// More than one row in a hundred is damaged, or the file has no places.
        case badRows
        /// A database error.
        case storage
    }

    /// The kind of failure.
    package let code: Code
    /// One sentence for the operator.
    package let message: String
    /// The database error.
    let underlyingError: PostgresError?
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

extension PlaceImportError {
    init(_ error: PostgresError) { self.init(.storage, error.description, underlyingError: error) }
}

extension PlaceImportError: CustomStringConvertible {
    package var description: String { self.message }
}
