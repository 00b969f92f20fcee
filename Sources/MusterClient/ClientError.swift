/// An error on the client's side of a connection.
package struct ClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Base: Hashable, Sendable {
            case cannotConnect
            case refused
            case timedOut
            case connectionLost
        }

        private let base: Base
        private init(_ base: Base) { self.base = base }

        /// No TCP connection came about.
        package static let cannotConnect = Self(.cannotConnect)
        /// The handshake was answered with another status than 101.
        package static let refused = Self(.refused)
        /// Nothing fitting came before the deadline.
        package static let timedOut = Self(.timedOut)
        /// The server ended the connection.
        package static let connectionLost = Self(.connectionLost)

        package var description: String { "\(self.base)" }
    }

    /// The kind of failure.
    package let code: Code
    /// What happened, in words safe to show.
    package let message: String
    /// Where it was noticed.
    package let file: StaticString
    package let line: UInt

    /// Creates an error.
    package init(_ code: Code, message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    package var description: String { "\(self.code): \(self.message)" }
}
