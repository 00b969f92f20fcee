import Glibc

/// An error of a map file or of its import; the previous map stays in use.
package struct MapError: Error, Sendable {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// A file cannot be read, has an unsupported format, or is damaged.
        case unreadable
        /// A file contains nothing that the map shows.
        case empty
        /// There is not enough space, or a file cannot be written.
        case unwritable
        /// Another import is running.
        case busy
        /// An error of the database that makes the tiles.
        case storage
    }

    /// The kind of failure.
    package let code: Code
    /// One sentence for the operator.
    package let message: String
    /// The file that raised the error.
    package let file: StaticString
    /// The line that raised the error.
    package let line: UInt

    /// Creates an error.
    init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    /// Creates an error for a failed system call.
    static func system(_ what: String, _ path: String, _ number: Int32) -> MapError {
        let remedy = number == ENOSPC ? "; free space there, or choose another --data-dir" : ""
        return MapError(.unwritable, "cannot \(what) '\(path)': \(String(cString: strerror(number)))\(remedy)")
    }
}

extension MapError: CustomStringConvertible {
    package var description: String { self.message }
}
