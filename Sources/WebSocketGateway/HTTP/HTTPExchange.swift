/// One HTTP request from its headers to its answer.
final class HTTPExchange {
    enum State {
        /// The body is still coming.
        case receiving
        /// The application has the request.
        case waiting
        /// The answer can be written.
        case answered(HTTPResponse)
        /// The answer has been handed to libwebsockets.
        case finished
    }

    let id: RequestID
    let handle: SocketHandle
    let request: HTTPRequest
    let bodyLimit: Int
    var body: [UInt8] = []
    /// Bytes of a refused body that were thrown away.
    var discarded = 0
    var state = State.receiving
    /// Whether the connection ends with the answer, because the rest of the request is not wanted.
    var closesAfterwards = false
    /// Whether the time of a refused body is over.
    var isCut = false

    init(request: HTTPRequest, handle: SocketHandle, bodyLimit: Int) {
        self.id = request.id
        self.request = request
        self.handle = handle
        self.bodyLimit = bodyLimit
    }
}

@available(*, unavailable)
extension HTTPExchange: Sendable {}
