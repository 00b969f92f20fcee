/// An error of a gateway's start.
package struct GatewayError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind of failure.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Base: Hashable, Sendable {
            case cannotListen
            case tooFewDescriptors
            case eventLibraryMissing
            case contextFailed
            case invalidConfiguration
        }

        private let base: Base
        private init(_ base: Base) { self.base = base }

        /// The address is in use, or does not belong to this machine.
        package static let cannotListen = Self(.cannotListen)
        /// The system allows fewer descriptors than the connection limit needs.
        package static let tooFewDescriptors = Self(.tooFewDescriptors)
        /// The libuv plugin of libwebsockets is not installed.
        static let eventLibraryMissing = Self(.eventLibraryMissing)
        /// libwebsockets did not start, for example because of an unreadable certificate.
        package static let contextFailed = Self(.contextFailed)
        /// The configuration contradicts itself.
        static let invalidConfiguration = Self(.invalidConfiguration)

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
    package var debugDescription: String { "\(self.description) (\(self.file):\(self.line))" }
}
