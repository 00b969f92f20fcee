/// One HTTP request from its headers to its answer.
final class HTTPExchange {
    enum State {
        /// The body is still coming.
        case receiving
        /// The application has the whole request.
        case waiting
        /// The answer can be written.
        case answered(HTTPResponse)
        /// The head of the answer is written, and its body as far as there is some.
        case streaming(AnswerStream)
        /// The answer has been handed to libwebsockets.
        case finished
    }

    let id: RequestID
    let handle: SocketHandle
    var request: HTTPRequest
    let bodyLimit: Int
    /// Whether the application has the request, or the gateway has answered it.
    var isHandedOver = false
    /// Takes a chunked body apart; nil when its length was announced.
    var decoder: ChunkedDecoder?
    /// Bytes of the body that came so far.
    var bodyBytes = 0
    /// How many of them had come when the time of the body began anew.
    var timelyBytes = 0
    /// When something of the body came last.
    var lastReceived: Int64 = 0
    /// How often libwebsockets told the end of the body again.
    var repeatedEnds = 0
    /// Bytes of a refused body that were thrown away.
    var discarded = 0
    var state = State.receiving
    /// Whether the connection ends with the answer, because the rest of the request is not wanted or cannot be told.
    var closesAfterwards = false
    /// Whether the time of a refused body is over.
    var isCut = false
    /// Whether the socket is not read until the application has read what came.
    var isBodyPaused = false
    /// Whether the client understands the chunked coding, which HTTP/1.0 does not know.
    let readsChunks: Bool
    /// Since when the client has taken nothing of a streamed answer; nil while nothing waits for it.
    var blockedSince: Int64?

    init(request: HTTPRequest, handle: SocketHandle, bodyLimit: Int, readsChunks: Bool) {
        self.id = request.id
        self.request = request
        self.handle = handle
        self.bodyLimit = bodyLimit
        self.readsChunks = readsChunks
    }

    /// The client has gone: whoever reads its body or writes its answer need not go on.
    func abandon() {
        self.request.stream?.fail(.incomplete)
        switch self.state {
        case .streaming(let stream): stream.cancel()
        case .answered(let response):
            if case .stream(let stream) = response.content { stream.cancel() }
        case .receiving, .waiting, .finished: break
        }
    }
}

@available(*, unavailable)
extension HTTPExchange: Sendable {}
