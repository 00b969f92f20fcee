import Synchronization

// A streamed answer is written as the socket takes it: the library calls HTTP_WRITEABLE once its own tail is gone, at most
// `AnswerStream.capacity` and a piece go out at a time. While there is nothing to write, the library is not asked, and does not
// watch the socket, which it would spin on. So we look once a second ourselves whether the client has gone; one that sends more
// before it has its answer is cut off then, for the same reason.

extension ShardCore {
    /// Milliseconds between two looks at the client of a streamed answer.
    private static let answerCheck: Int64 = 1000

    /// Answers a request; ignored when its client has gone or it has an answer.
    func respond(_ id: RequestID, _ response: HTTPResponse) {
        guard let exchange = self.exchanges[id] else {
            if case .stream(let stream) = response.content { stream.cancel() }
            return
        }
        switch exchange.state {
        case .receiving, .waiting:
            if case .receiving = exchange.state {
                // The rest of the body is not wanted any more.
                exchange.closesAfterwards = true
                exchange.request.stream?.fail(.incomplete)
                exchange.isBodyPaused = false
            }
            exchange.state = .answered(response)
            // A flow-controlled HTTP socket is not told that it can write.
            exchange.handle.setReading(true)
            exchange.handle.requestWritable()
        case .answered, .streaming, .finished:
            if case .stream(let stream) = response.content { stream.cancel() }
        }
    }

    /// Goes on with a request whose body or answer waited for the application.
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
                // The head that a GET would have: nobody knows how long the answer is.
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

    /// Writes the head of a streamed answer and lets its producer begin.
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

    /// Looks whether the client of a streamed answer is still there, takes bytes, and waits for its end.
    func checkAnswer(_ id: RequestID) {
        guard let exchange = self.exchanges[id], case .streaming = exchange.state else { return }
        let limit = self.configuration.timing.answerDeadline
        let isStuck = exchange.blockedSince.map { $0 + limit <= self.now } ?? false
        guard !isStuck, !exchange.handle.hasInput else { return self.cutOff(exchange) }
        self.schedule(.answerDeadline(id), after: Self.answerCheck)
    }

    /// Writes the last bytes of an answer, and makes the connection ready for the next request or lets it end.
    private func finish(_ exchange: HTTPExchange, _ socket: Socket) -> Int32 {
        exchange.state = .finished
        let didWrite = exchange.handle.write(&self.scratch)
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
        exchange.handle.setTimeout(seconds: Int32(clamping: (self.configuration.timing.answerDeadline + 999) / 1000))
        socket.use = .idle
        return exchange.handle.completeTransaction() ? -1 : 0
    }
}
