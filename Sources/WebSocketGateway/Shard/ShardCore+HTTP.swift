import CLibWebSockets
import Synchronization

// Bodies in libwebsockets 4.1.6: a POST, PUT or PATCH without Content-Length is read until the connection ends, and
// chunked bodies are not decoded; so both are refused with 411. While an answer is awaited the socket is not read,
// because the library would otherwise spin on bytes that it will not take, or end the body twice. Its timeout starts anew
// with each byte of a body, so the wheel has a deadline for the whole of it.

extension ShardCore {
    /// Bytes of a refused body that are thrown away before the connection is cut.
    private static let discardedBytes = 1_048_576

    func requestStarted(_ handle: SocketHandle, _ socket: Socket) -> Int32 {
        let id = RequestID(rawValue: self.identities.make())
        let (method, path) = handle.methodAndPath ?? (.get, "")
        let request = HTTPRequest(
            id: id,
            method: method,
            path: path,
            query: handle.query,
            headers: handle.requestHeaders,
            peerAddress: socket.peerAddress
        )
        let exchange = HTTPExchange(request: request, handle: handle, bodyLimit: self.bodyLimit(method, path))
        socket.use = .exchange(exchange)
        self.exchanges[id] = exchange
        let length = handle.header(WSI_TOKEN_HTTP_CONTENT_LENGTH)
        if handle.header(WSI_TOKEN_HTTP_TRANSFER_ENCODING) != nil || (length == nil && method.impliesBody) {
            self.refuse(exchange, .problem(411, code: "bad_request", detail: "The body needs a Content-Length."))
        } else if let length, Self.count(length) ?? .max > exchange.bodyLimit {
            let detail = "The body may have at most \(exchange.bodyLimit) bytes."
            self.refuse(exchange, .problem(413, code: "too_large", detail: detail))
        } else if Self.count(length ?? "0") == 0 {
            // A POST of length 0 still gets its BODY_COMPLETION, which `complete` then ignores.
            self.complete(exchange)
        } else {
            self.schedule(.bodyDeadline(id), after: self.configuration.timing.bodyDeadline)
        }
        return 0
    }

    /// Refuses a request whose body still trickles in.
    func bodyIsLate(_ id: RequestID) {
        guard let exchange = self.exchanges[id], case .receiving = exchange.state else { return }
        exchange.body = []
        self.refuse(exchange, .problem(408, code: "bad_request", detail: "The body took too long."))
    }

    /// Ends the connection of a refused body.
    func cut(_ id: RequestID) {
        guard let exchange = self.exchanges[id] else { return }
        // A byte that the library reads before it looks at its timeouts starts them anew: then that byte ends it.
        exchange.isCut = true
        exchange.handle.kill()
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer, _ socket: Socket) -> Int32 {
        guard case .exchange(let exchange) = socket.use else { return 0 }
        guard !exchange.isCut else { return -1 }
        if case .receiving = exchange.state, exchange.body.count + bytes.count <= exchange.bodyLimit {
            exchange.body.append(contentsOf: bytes)
            return 0
        }
        exchange.discarded += bytes.count
        return exchange.discarded > Self.discardedBytes ? -1 : 0
    }

    func bodyEnded(_ socket: Socket) -> Int32 {
        guard case .exchange(let exchange) = socket.use else { return 0 }
        if case .finished = exchange.state, exchange.closesAfterwards { return -1 }
        self.complete(exchange)
        return 0
    }

    /// Answers a request; ignored when its client has gone or it has an answer.
    func respond(_ id: RequestID, _ response: HTTPResponse) {
        guard let exchange = self.exchanges[id] else { return }
        switch exchange.state {
        case .receiving, .waiting:
            exchange.state = .answered(response)
            // A flow-controlled HTTP socket is not told that it can write.
            exchange.handle.setReading(true)
            exchange.handle.requestWritable()
        case .answered, .finished: return
        }
    }

    func writeAnswer(_ handle: SocketHandle, _ socket: Socket) -> Int32 {
        guard case .exchange(let exchange) = socket.use, case .answered(let response) = exchange.state else { return 0 }
        exchange.state = .finished
        self.counters.requests.wrappingAdd(1, ordering: .relaxed)
        self.scratch.removeAll(keepingCapacity: true)
        ResponseWriter.append(
            response,
            common: self.configuration.responseHeaders,
            omitsBody: exchange.request.method == .head,
            closes: exchange.closesAfterwards,
            to: &self.scratch
        )
        let didWrite = handle.write(&self.scratch)
        if self.scratch.capacity > 1_048_576 { self.scratch = [] }
        guard didWrite else { return -1 }
        guard !exchange.closesAfterwards else {
            // Closing with unread bytes would reset the connection before the client has read why. The library's own
            // timeout would start anew with each byte of the body.
            self.schedule(.refusalDeadline(exchange.id), after: 2000)
            return 0
        }
        self.exchanges[exchange.id] = nil
        // A client that takes a long answer slowly has this long for it.
        handle.setTimeout(seconds: 60)
        socket.use = .idle
        return handle.completeTransaction() ? -1 : 0
    }

    private func refuse(_ exchange: HTTPExchange, _ response: HTTPResponse) {
        exchange.closesAfterwards = true
        exchange.state = .answered(self.readable(response, byPageOf: exchange.request.headers.origin))
        exchange.handle.requestWritable()
    }

    private func complete(_ exchange: HTTPExchange) {
        guard case .receiving = exchange.state else { return }
        exchange.state = .waiting
        exchange.handle.setTimeout(seconds: 0)
        exchange.handle.setReading(false)
        let request = exchange.request.withBody(exchange.body)
        exchange.body = []
        if let response = self.ownAnswer(to: request) {
            self.respond(request.id, self.readable(response, byPageOf: request.headers.origin))
        } else {
            self.events?.requestReceived(request)
        }
    }

    /// What the gateway answers without asking the application.
    private func ownAnswer(to request: HTTPRequest) -> HTTPResponse? {
        if request.path == self.configuration.webSocketPath {
            var response = HTTPResponse.problem(426, code: "bad_request", detail: "A WebSocket is served here.")
            response.headers.append(("upgrade", "websocket"))
            return response
        }
        let isApplications = self.configuration.applicationPaths.contains { path in
            path.hasSuffix("/") ? request.path.hasPrefix(path) : request.path == path
        }
        guard !isApplications, request.method == .get || request.method == .head else { return nil }
        return self.shared.staticFiles.answer(
            path: request.path,
            ifNoneMatch: request.headers.ifNoneMatch,
            acceptEncoding: request.headers.acceptEncoding
        )
    }

    private func bodyLimit(_ method: HTTPMethod, _ path: String) -> Int {
        let limits = self.configuration.limits
        return limits.bodyBytesByRoute.first { $0.method == method && $0.path == path }?.bytes ?? limits.bodyBytes
    }

    /// The number in a Content-Length header; nil when it is none.
    private static func count(_ text: String) -> Int? {
        text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
    }
}

extension HTTPMethod {
    fileprivate var impliesBody: Bool {
        switch self {
        case .post, .put, .patch: true
        case .get, .head, .delete, .options: false
        }
    }
}

extension HTTPRequest {
    fileprivate func withBody(_ body: [UInt8]) -> HTTPRequest {
        HTTPRequest(
            id: self.id,
            method: self.method,
            path: self.path,
            query: self.query,
            headers: self.headers,
            body: body,
            peerAddress: self.peerAddress
        )
    }
}

extension SocketHandle {
    fileprivate var requestHeaders: HTTPRequest.Headers {
        var headers = HTTPRequest.Headers()
        headers.authorization = self.header(WSI_TOKEN_HTTP_AUTHORIZATION)
        headers.contentType = self.header(WSI_TOKEN_HTTP_CONTENT_TYPE)
        headers.ifNoneMatch = self.header(WSI_TOKEN_HTTP_IF_NONE_MATCH)
        headers.acceptEncoding = self.header(WSI_TOKEN_HTTP_ACCEPT_ENCODING)
        headers.origin = self.header(WSI_TOKEN_ORIGIN)
        headers.host = self.header(WSI_TOKEN_HOST)
        headers.userAgent = self.header(WSI_TOKEN_HTTP_USER_AGENT)
        headers.forwardedFor = self.header(WSI_TOKEN_X_FORWARDED_FOR)
        return headers
    }
}
