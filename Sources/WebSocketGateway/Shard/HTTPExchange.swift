/// An HTTP request from its headers to its response.
final class HTTPExchange {
    enum State {
        /// The body is incomplete.
        case receiving
        /// The application has the whole request.
        case waiting
        /// The response can be written.
        case answered(HTTPResponse)
        /// The head of the response is written, and the available part of its body.
        case streaming(AnswerStream)
        /// The response has been passed to libwebsockets.
        case finished
    }

    let id: RequestID
    let handle: SocketHandle
    var request: HTTPRequest
    let bodyLimit: Int
    /// Whether the application has the request, or the gateway has answered it.
    var isHandedOver = false
    /// The decoder of a chunked body; nil when the length is known.
    var decoder: ChunkedDecoder?
    /// The number of body bytes so far.
    var bodyBytes = 0
    /// The value of `bodyBytes` when the body deadline was last renewed.
    var timelyBytes = 0
    /// The time of the last body bytes.
    var lastReceived: Int64 = 0
    /// The number of times that libwebsockets reported the end of the body again.
    var repeatedEnds = 0
    /// The number of discarded bytes of a refused body.
    var discarded = 0
    var state = State.receiving
    /// Whether the connection is closed after the response, because the rest of the request is unwanted or has no known
    /// end.
    var closesAfterwards = false
    /// Whether the deadline of a refused body has passed.
    var isCut = false
    /// Whether reading the socket is paused until the application has read the queued bytes.
    var isBodyPaused = false
    /// Whether the client supports the chunked coding, which HTTP/1.0 does not have.
    let readsChunks: Bool
    /// The time since which the client has accepted nothing of a streamed response; nil while nothing is pending.
    var blockedSince: Int64?

    init(request: HTTPRequest, handle: SocketHandle, bodyLimit: Int, readsChunks: Bool) {
        self.id = request.id
        self.request = request
        self.handle = handle
        self.bodyLimit = bodyLimit
        self.readsChunks = readsChunks
    }

    /// Cancels the reader of the body and the producer of the response, because the client has disconnected.
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
