import Synchronization

// A streamed response is written as the socket accepts it: the library calls HTTP_WRITEABLE when its own unwritten tail
// is gone, and then at most `AnswerStream.capacity` and one piece are written. While there is nothing to write, no such
// call is requested, and the socket is not polled, because polling would spin. So a timer checks once a second whether
// the client has disconnected. For the same reason, a client that sends more before it has its response is cut off
// then.

extension ShardCore {
    /// Milliseconds between two checks of the client of a streamed response.
    private static let answerCheck: Int64 = 1000

    /// Responds to a request.
    ///
    /// Ignored when its client has disconnected or it has a response.
    func respond(_ id: RequestID, _ response: HTTPResponse) {
        guard let exchange = self.exchanges[id] else {
            if case .stream(let stream) = response.content { stream.cancel() }
            return
        }
        switch exchange.state {
        case .receiving, .waiting:
            if case .receiving = exchange.state {
                // The rest of the body is not needed.
                exchange.closesAfterwards = true
                exchange.request.stream?.fail(.incomplete)
                exchange.isBodyPaused = false
            }
            exchange.state = .answered(response)
            // libwebsockets does not report writability of an HTTP socket whose reading is paused.
            exchange.handle.setReading(true)
            exchange.handle.requestWritable()
        case .answered, .streaming, .finished:
            if case .stream(let stream) = response.content { stream.cancel() }
        }
    }

    /// Continues with a request whose body or response waited for the application.
    func resumeExchange(_ id: RequestID) {
        guard let exchange = self.exchanges[id] else { return }
        switch exchange.state {
        case .receiving: self.resumeBody(of: exchange)
        case .streaming:
            exchange.handle.setReading(true)
            exchange.handle.requestWritable()
        case .waiting, .answered, .finished: break
        }
    }

    func resumeBody(of exchange: HTTPExchange) {
        guard exchange.isBodyPaused else { return }
        exchange.isBodyPaused = false
        exchange.handle.setReading(true)
    }

    func writeAnswer(_ handle: SocketHandle, _ socket: Socket) -> Int32 {
        guard case .exchange(let exchange) = socket.use else { return 0 }
        switch exchange.state {
        case .receiving, .waiting, .finished: return 0
        case .streaming(let stream): return self.writeMore(of: stream, exchange, socket)
        case .answered(let response):
            self.counters.requests.wrappingAdd(1, ordering: .relaxed)
            self.scratch.removeAll(keepingCapacity: true)
            if case .stream(let stream) = response.content, exchange.request.method != .head {
                return self.begin(stream, response, exchange, socket)
            }
            if case .stream(let stream) = response.content {
                // The same head as for a GET. The length of the response is unknown.
                stream.cancel()
                ResponseWriter.appendHead(
                    response,
                    common: self.configuration.responseHeaders,
                    framing: exchange.readsChunks ? .chunked : .untilClose,
                    closes: exchange.closesAfterwards,
                    to: &self.scratch
                )
                return self.finish(exchange, socket)
            }
            ResponseWriter.append(
                response,
                common: self.configuration.responseHeaders,
                omitsBody: exchange.request.method == .head,
                closes: exchange.closesAfterwards,
                to: &self.scratch
            )
            return self.finish(exchange, socket)
        }
    }

    /// Writes the head of a streamed response and starts its producer.
    private func begin(
        _ stream: AnswerStream,
        _ response: HTTPResponse,
        _ exchange: HTTPExchange,
        _ socket: Socket
    ) -> Int32 {
        exchange.state = .streaming(stream)
        if !exchange.readsChunks { exchange.closesAfterwards = true }
        ResponseWriter.appendHead(
            response,
            common: self.configuration.responseHeaders,
            framing: exchange.readsChunks ? .chunked : .untilClose,
            closes: exchange.closesAfterwards,
            to: &self.scratch
        )
        guard exchange.handle.write(&self.scratch) else { return -1 }
        exchange.handle.setTimeout(seconds: 0)
        exchange.blockedSince = self.now
        self.schedule(.answerDeadline(exchange.id), after: Self.answerCheck)
        let id = exchange.id
        stream.start { [post] in post(.resumeExchange(id)) }
        exchange.handle.requestWritable()
        return 0
    }

    private func writeMore(of stream: AnswerStream, _ exchange: HTTPExchange, _ socket: Socket) -> Int32 {
        self.scratch.removeAll(keepingCapacity: true)
        switch stream.read() {
        case .nothing:
            exchange.blockedSince = nil
            exchange.handle.setReading(false)
            return 0
        case .failure:
            return -1
        case .end:
            guard exchange.readsChunks else { return -1 }
            ResponseWriter.appendChunk([], to: &self.scratch)
            return self.finish(exchange, socket)
        case .bytes(let bytes):
            if exchange.readsChunks {
                ResponseWriter.appendChunk(bytes, to: &self.scratch)
            } else {
                self.scratch.append(contentsOf: bytes)
            }
            exchange.blockedSince = self.now
            guard exchange.handle.write(&self.scratch) else { return -1 }
            exchange.handle.requestWritable()
            return 0
        }
    }

    /// Checks that the client of a streamed response is still connected, accepts bytes, and sends nothing more.
    func checkAnswer(_ id: RequestID) {
        guard let exchange = self.exchanges[id], case .streaming = exchange.state else { return }
        let limit = self.configuration.timing.answerDeadline
        let isStuck = exchange.blockedSince.map { $0 + limit <= self.now } ?? false
        guard !isStuck, !exchange.handle.hasInput else { return self.cutOff(exchange) }
        self.schedule(.answerDeadline(id), after: Self.answerCheck)
    }

    /// Writes the last bytes of a response.
    ///
    /// Then prepares the connection for the next request, or schedules its end.
    private func finish(_ exchange: HTTPExchange, _ socket: Socket) -> Int32 {
        exchange.state = .finished
        let didWrite = exchange.handle.write(&self.scratch)
        if self.scratch.capacity > 1_048_576 { self.scratch = [] }
        guard didWrite else { return -1 }
        guard !exchange.closesAfterwards else {
            // Closing with unread bytes would reset the connection before the client has read the response. The
            // library's own timeout would restart with each byte of the body.
            self.schedule(.refusalDeadline(exchange.id), after: 2000)
            return 0
        }
        self.exchanges[exchange.id] = nil
        // The timeout for a client that accepts a long response slowly.
        exchange.handle.setTimeout(seconds: Int32(clamping: (self.configuration.timing.answerDeadline + 999) / 1000))
        socket.use = .idle
        return exchange.handle.completeTransaction() ? -1 : 0
    }
}
