/// Why there is no answer from a server elsewhere.
package struct OutboundError: Error, CustomStringConvertible, CustomDebugStringConvertible {
    /// What went wrong.
    package enum Code: String, Sendable, CaseIterable {
        /// The server did not answer in time.
        case timeout
        /// The request's turn did not come in time.
        case queueTimeout = "queue_timeout"
        /// No connection, no TLS that is trusted, or one that broke.
        case unreachable
        /// The answer is longer than the request allows.
        case tooLarge = "too_large"
        /// Nobody waits for it any more.
        case cancelled
        /// Too many requests wait for the host.
        case busy
    }

    package let code: Code
    /// What libcurl says about it.
    package let message: String
    /// Where it was found.
    package let file: StaticString
    package let line: Int

    /// Describes a failure.
    package init(_ code: Code, _ message: String, file: StaticString = #fileID, line: Int = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    package var description: String { "\(self.code.rawValue): \(self.message)" }

    package var debugDescription: String { "\(self.description) (\(self.file):\(self.line))" }
}
