/// An error of `muster replay`: exit status 1.
struct ReplayError: Error, CustomStringConvertible {
    /// The kind of failure.
    enum Code: Hashable, Sendable {
        /// The trace cannot be opened or read, or its compressed form is damaged.
        case unreadable
        /// The output cannot be written.
        case unwritable
        /// The database contains nothing to replay.
        case nothingFound
    }

    /// The kind of failure.
    let code: Code
    /// The problem, with the name of the file.
    let message: String
    /// The file that raised the error.
    let file: StaticString
    /// The line that raised the error.
    let line: UInt

    /// Creates an error.
    init(_ code: Code, message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    var description: String { self.message }
}
