/// An error of a client connection.
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

        /// No TCP connection could be established.
        static let cannotConnect = Self(.cannotConnect)
        /// The response to the handshake was not 101.
        package static let refused = Self(.refused)
        /// No matching event occurred before the deadline.
        package static let timedOut = Self(.timedOut)
        /// The server closed the connection.
        package static let connectionLost = Self(.connectionLost)

        package var description: String { "\(self.base)" }
    }

    /// The kind of failure.
    package let code: Code
    /// A message that is safe to show.
    package let message: String
    /// The source file that created the error.
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
