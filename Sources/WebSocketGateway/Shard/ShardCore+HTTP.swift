import CLibWebSockets
import EventLoop
import Synchronization

// Bodies in libwebsockets 4.1.6: a POST, PUT or PATCH without Content-Length is read until the connection ends, and
// chunked bodies are not decoded. So a chunked body of these methods is decoded here, and a body without any
// announcement is empty (RFC 9112, 6.3). The connection is closed after both. A chunked body of another method is
// refused with 411.
//
// While a response is pending, the socket is not read. Otherwise the library would spin on bytes that it does not read,
// or report the end of the body twice. Its timeout restarts with each byte of a body and closes the connection without
// a response. So the timer wheel has a deadline for the whole body, and a shorter one for silence.

extension ShardCore {
    /// The number of bytes of a refused body that are discarded before the connection is cut, and at least twice the
    /// route's limit.
    ///
    /// So a client that sends slightly too much still receives the refusal.
    private static let discardedBytes = 1_048_576

    // Bodies in libwebsockets 4.1.6: a POST, PUT or PATCH without Content-Length is read until the connection ends, and
    // chunked bodies are not decoded. So a chunked body of these methods is decoded here, and a body without any
    // announcement is empty (RFC 9112, 6.3). The connection is closed after both. A chunked body of another method is
    // refused with 411.
    //
    // While a response is pending, the socket is not read. Otherwise the library would spin on bytes that it does not read,
    // or report the end of the body twice. Its timeout restarts with each byte of a body and closes the connection without
    // a response. So the timer wheel has a deadline for the whole body, and a shorter one for silence.

    func requestStarted(_ handle: SocketHandle, _ socket: Socket) -> Int32 {
        socket.requests &+= 1
        if case .exchange(let exchange) = socket.use {
            self.cutOff(exchange)
            return 0
        }
        let id = RequestID(rawValue: self.identities.make())
        let (method, path) = handle.methodAndPath ?? (.get, "")
        let reception =
            self.configuration.bodyReception(method, path) ?? .whole(limit: self.configuration.limits.bodyBytes)
        let request = HTTPRequest(
            id: id,
            method: method,
            path: path,
            query: handle.query,
            headers: handle.headers(besidesKnown: self.configuration.requestHeaders),
            stream: self.makeStream(reception, of: id),
            peerAddress: socket.peerAddress
        )
        let exchange = HTTPExchange(
            request: request,
            handle: handle,
            bodyLimit: reception.limit,
            readsChunks: handle.header(WSI_TOKEN_HTTP) == "HTTP/1.1"
        )
        socket.use = .exchange(exchange)
        self.exchanges[id] = exchange
        let framing = BodyFraming(request)
        guard socket.input.heads >= socket.requests else {
            // libwebsockets read past the filter: served unjudged, requests could be smuggled.
            self.shared.logOnce(Self.unfiltered, about: "")
            self.cutOff(exchange)
            return -1
        }
        if let fault = socket.input.fault, socket.requests == socket.input.heads {
            self.refuse(exchange, fault.response)
            return 0
        }
        if framing.hasBody, let coding = request.headers["content-encoding"], coding.lowercased() != "identity" {
            self.refuse(exchange, Self.encodingRefusal())
            return 0
        }
        switch framing {
        case .none:
            // libwebsockets still reports BODY_COMPLETION for a POST of length 0, which `complete` ignores then.
            self.complete(exchange)
            return 0
        case .length(let count) where count > exchange.bodyLimit:
            self.refuseLongBody(of: exchange)
        case .length:
            self.beginBody(of: exchange)
        case .chunked where exchange.readsChunks && method.impliesBody:
            exchange.decoder = ChunkedDecoder()
            exchange.closesAfterwards = true
            self.beginBody(of: exchange)
        case .unannounced:
            exchange.closesAfterwards = true
            self.complete(exchange)
            self.schedule(.bodyEnded(exchange.id), after: 0)
        case .chunked:
            self.refuse(
                exchange,
                .problem(
                    411,
                    code: "bad_request",
                    detail: "A request with a body must have Content-Length or Transfer-Encoding: chunked."
                )
            )
        case .unsupported:
            self.refuse(
                exchange,
                .problem(501, code: "bad_request", detail: "The only supported Transfer-Encoding is chunked.")
            )
        case .contradictory:
            let detail = "A request must not have both Content-Length and Transfer-Encoding."
            self.refuse(exchange, .problem(400, code: "bad_request", detail: detail))
        }
        return 0
    }

    /// Returns the response to a body with a content coding (RFC 9110, 15.5.16).
    private static func encodingRefusal() -> HTTPResponse {
        let detail = "The body must not have a Content-Encoding."
        var response = HTTPResponse.problem(415, code: "unsupported_media_type", detail: detail)
        response.headers.append(("accept-encoding", "identity"))
        return response
    }

    private func makeStream(_ reception: BodyReception, of id: RequestID) -> RequestBody? {
        switch reception {
        case .whole: nil
        case .stream: RequestBody { [post] in post(.resumeExchange(id)) }
        }
    }

    private func beginBody(of exchange: HTTPExchange) {
        // An HTTP/1.0 client does not know this status (RFC 9110, 10.1.1).
        if exchange.readsChunks, exchange.handle.header(WSI_TOKEN_HTTP_EXPECT)?.lowercased() == "100-continue" {
            var bytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            _ = exchange.handle.write(&bytes)
        }
        exchange.lastReceived = self.now
        self.schedule(.bodyDeadline(exchange.id), after: self.configuration.timing.bodyDeadline)
        self.schedule(.bodySilence(exchange.id), after: self.configuration.timing.bodySilence)
        // With a streamed body the application gets the request first, so that it can refuse an invalid token early.
        if exchange.request.stream != nil { self.handOver(exchange) }
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer, _ socket: Socket) -> Int32 {
        guard case .exchange(let exchange) = socket.use else { return 0 }
        guard !exchange.isCut else { return -1 }
        guard case .receiving = exchange.state else {
            exchange.discarded += bytes.count
            return exchange.discarded > max(Self.discardedBytes, 2 * exchange.bodyLimit) ? -1 : 0
        }
        exchange.lastReceived = self.now
        guard var decoder = exchange.decoder else {
            self.append(bytes, to: exchange)
            return 0
        }
        let progress = decoder.decode(bytes) { self.append($0, to: exchange) }
        exchange.decoder = decoder
        guard case .receiving = exchange.state else { return 0 }
        switch progress {
        case .incomplete: break
        case .complete:
            self.complete(exchange)
            // After this call returns, the library starts its own timeout for the rest of the body, although the body
            // has ended.
            self.schedule(.bodyEnded(exchange.id), after: 0)
        case .malformed:
            exchange.request.stream?.fail(.malformed)
            self.refuse(exchange, .problem(400, code: "bad_request", detail: "The chunks of the body are malformed."))
        }
        return 0
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to exchange: HTTPExchange) {
        guard case .receiving = exchange.state else { return }
        exchange.bodyBytes += bytes.count
        guard exchange.bodyBytes <= exchange.bodyLimit else { return self.refuseLongBody(of: exchange) }
        guard let stream = exchange.request.stream else {
            exchange.request.body.append(contentsOf: bytes)
            return
        }
        if !stream.append(bytes), !exchange.isBodyPaused {
            exchange.isBodyPaused = true
            exchange.handle.setReading(false)
        }
    }

    func bodyEnded(_ socket: Socket) -> Int32 {
        guard case .exchange(let exchange) = socket.use else { return 0 }
        switch exchange.state {
        case .finished: return exchange.closesAfterwards ? -1 : 0
        case .streaming: self.cutOff(exchange)
        case .receiving: self.complete(exchange)
        case .waiting, .answered:
            // If bytes follow a body, libwebsockets repeats this event endlessly and never lets a response be written.
            exchange.repeatedEnds += 1
            guard exchange.repeatedEnds <= Self.mostRepeatedEnds else {
                self.cutOff(exchange)
                return -1
            }
        }
        return 0
    }

    private static let unfiltered = LogEvent(
        .error,
        "a request bypassed the input filter and is refused; check how libwebsockets is linked against recv"
    )

    /// The maximum number of repeated end events.
    ///
    /// For an empty body, one repetition is normal.
    private static let mostRepeatedEnds = 8

    private func complete(_ exchange: HTTPExchange) {
        guard case .receiving = exchange.state else { return }
        exchange.state = .waiting
        exchange.handle.setTimeout(seconds: Int32(clamping: self.configuration.timing.answerSeconds))
        exchange.handle.setReading(false)
        exchange.request.stream?.finish()
        self.handOver(exchange)
    }

    private func handOver(_ exchange: HTTPExchange) {
        guard !exchange.isHandedOver else { return }
        exchange.isHandedOver = true
        let request = exchange.request
        exchange.request.body = []
        if let response = self.ownAnswer(to: request) {
            self.respond(request.id, self.readable(response, byPageOf: request.headers["origin"]))
        } else {
            self.events?.requestReceived(request)
        }
    }

    /// Returns the gateway's own response to a request; nil when the application responds.
    private func ownAnswer(to request: HTTPRequest) -> HTTPResponse? {
        if request.path == self.configuration.webSocketPath {
            var response = HTTPResponse.problem(
                426,
                code: "bad_request",
                detail: "This path serves a WebSocket: the request must be an upgrade."
            )
            response.headers.append(("upgrade", "websocket"))
            self.counters.answeredAlone(request.method, response.status)
            return response
        }
        let isApplications = self.configuration.applicationPaths.contains { path in
            path.hasSuffix("/") ? request.path.hasPrefix(path) : request.path == path
        }
        guard !isApplications, request.method == .get || request.method == .head else { return nil }
        let response = self.shared.staticFiles.answer(
            path: request.path,
            ifNoneMatch: request.headers["if-none-match"],
            acceptEncoding: request.headers["accept-encoding"]
        )
        self.counters.answeredAlone(request.method, response.status)
        return response
    }

    // Bodies in libwebsockets 4.1.6: a POST, PUT or PATCH without Content-Length is read until the connection ends, and
    // chunked bodies are not decoded. So a chunked body of these methods is decoded here, and a body without any
    // announcement is empty (RFC 9112, 6.3). The connection is closed after both. A chunked body of another method is
    // refused with 411.
    //
    // While a response is pending, the socket is not read. Otherwise the library would spin on bytes that it does not read,
    // or report the end of the body twice. Its timeout restarts with each byte of a body and closes the connection without
    // a response. So the timer wheel has a deadline for the whole body, and a shorter one for silence.

    private func refuseLongBody(of exchange: HTTPExchange) {
        exchange.request.stream?.fail(.tooLarge)
        let detail = "The body must have at most \(exchange.bodyLimit) bytes."
        self.refuse(exchange, .problem(413, code: "too_large", detail: detail))
    }

    private func refuse(_ exchange: HTTPExchange, _ response: HTTPResponse) {
        self.counters.answeredAlone(exchange.request.method, response.status)
        exchange.request.body = []
        exchange.closesAfterwards = true
        exchange.state = .answered(self.readable(response, byPageOf: exchange.request.headers["origin"]))
        self.resumeBody(of: exchange)
        exchange.handle.requestWritable()
    }

    /// Ends the connection of a client that sends more before it has its response.
    ///
    /// Not by the return value of the callback, because then the library would wait for the client to close.
    func cutOff(_ exchange: HTTPExchange) {
        exchange.abandon()
        exchange.state = .finished
        exchange.handle.kill()
    }

    /// The minimum number of bytes in each deadline interval that makes a streamed body steady.
    private static let steadyBytes = 262_144

    /// Refuses a request whose body is not complete at its deadline.
    ///
    /// The deadline of a streamed body is renewed while data arrives steadily, or while the body waits for its reader.
    func bodyIsLate(_ id: RequestID) {
        guard let exchange = self.exchanges[id], case .receiving = exchange.state else { return }
        if exchange.request.stream != nil,
            exchange.isBodyPaused || exchange.bodyBytes - exchange.timelyBytes >= Self.steadyBytes
        {
            exchange.timelyBytes = exchange.bodyBytes
            self.schedule(.bodyDeadline(id), after: self.configuration.timing.bodyDeadline)
            return
        }
        self.refuseLateBody(of: exchange, "The body did not arrive in time.")
    }

    /// Refuses a request whose body has been silent for too long.
    func checkBody(_ id: RequestID) {
        guard let exchange = self.exchanges[id], case .receiving = exchange.state else { return }
        if exchange.isBodyPaused {
            // A paused body cannot receive data, so the library's timeout must not end it either.
            exchange.handle.setTimeout(seconds: 0)
            exchange.lastReceived = self.now
        }
        let timeout = exchange.lastReceived + self.configuration.timing.bodySilence - self.now
        guard timeout > 0 else {
            return self.refuseLateBody(of: exchange, "The rest of the body did not arrive in time.")
        }
        self.schedule(.bodySilence(id), after: timeout)
    }

    private func refuseLateBody(of exchange: HTTPExchange, _ why: String) {
        exchange.request.stream?.fail(.incomplete)
        self.refuse(exchange, .problem(408, code: "bad_request", detail: why))
    }

    /// Stops the library's timeout for a complete request, because the application decides when it responds.
    func bodyHasEnded(_ id: RequestID) {
        guard let exchange = self.exchanges[id], case .waiting = exchange.state else { return }
        exchange.handle.setTimeout(seconds: 0)
    }

    /// Ends the connection of a refused body.
    func cut(_ id: RequestID) {
        guard let exchange = self.exchanges[id] else { return }
        // A byte that the library reads before it checks its timeouts restarts them. Then `isCut` ends the connection.
        exchange.isCut = true
        exchange.handle.kill()
    }
}

/// The way in which the end of a request's body is found, by its headers (RFC 9112, 6.3).
private enum BodyFraming {
    /// There is no body.
    case none
    case length(Int)
    case chunked
    /// There is no body, but libwebsockets would read the bytes after the head as one.
    case unannounced
    /// An unsupported transfer coding.
    case unsupported
    /// Two different ways to find the end. A proxy may have used the other one.
    case contradictory

    init(_ request: HTTPRequest) {
        let length = request.headers["content-length"]
        switch (request.headers["transfer-encoding"], length) {
        case (_?, _?): self = .contradictory
        case (let coding?, nil):
            self = coding.lowercased() == "chunked" ? .chunked : .unsupported
        case (nil, let length?):
            let isNumber = length.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            let count = isNumber ? Int(length) ?? .max : .max
            self = count == 0 ? .none : .length(count)
        case (nil, nil): self = request.method.impliesBody ? .unannounced : .none
        }
    }

    /// Whether a body follows the head.
    var hasBody: Bool {
        switch self {
        case .none, .unannounced: false
        case .length, .chunked, .unsupported, .contradictory: true
        }
    }
}

extension SocketHandle {
    /// Returns the headers of the request: all that libwebsockets knows by number, and the other ones named in `names`.
    ///
    /// The library stores other headers too, but cannot list them.
    fileprivate func headers(besidesKnown names: [String]) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, token) in Self.knownHeaders {
            if let value = self.header(token) { headers[name] = value }
        }
        for name in names where headers[name] == nil {
            if let value = self.customHeader(name) { headers[name] = value }
        }
        return headers
    }

    private static let knownHeaders: [(name: String, token: lws_token_indexes)] = {
        (0..<WSI_TOKEN_COUNT.rawValue).compactMap { number in
            let token = lws_token_indexes(number)
            guard let name = lws_token_to_string(token).map({ String(cString: $0) }) else { return nil }
            // The other tokens are methods and the pseudo-headers of HTTP/2.
            guard name.hasSuffix(":"), !name.hasPrefix(":") else { return nil }
            return (String(name.dropLast()), token)
        }
    }()
}
