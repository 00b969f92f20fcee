/// The reason why there is no response from another server.
package struct OutboundError: Error, CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind of the error.
    package enum Code: String, Sendable, CaseIterable {
        /// The server did not answer in time.
        case timeout
        /// The request did not leave the queue in time.
        case queueTimeout = "queue_timeout"
        /// The connection or its TLS handshake failed, or the connection broke.
        case unreachable
        /// The host of a client's URL has no address that may be connected to.
        case forbidden
        /// The response is longer than the request allows.
        case tooLarge = "too_large"
        /// The request was cancelled.
        case cancelled
        /// Too many requests wait for the host.
        case busy
    }

    package let code: Code
    /// The message of libcurl.
    package let message: String
    /// The source file that created the error.
    package let file: StaticString
    package let line: Int

    /// Creates an error.
    package init(_ code: Code, _ message: String, file: StaticString = #fileID, line: Int = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    package var description: String { "\(self.code.rawValue): \(self.message)" }

    package var debugDescription: String { "\(self.description) (\(self.file):\(self.line))" }
}
