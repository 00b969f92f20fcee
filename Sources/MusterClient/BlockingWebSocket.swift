import EventLoop

/// A WebSocket with blocking calls and deadlines, for tests and small tools.
package final class BlockingWebSocket {
    /// The protocol state.
    ///
    /// Special frames of tests are queued here and sent by `flush`.
    var codec: WebSocketCodec
    /// The subprotocol that the server chose.
    package private(set) var subprotocol = ""
    private let socket: BlockingSocket
    private let clock = MonotonicClock.system
    private var events: [WebSocketEvent] = []

    /// Connects and performs the handshake.
    ///
    /// - Throws: `.refused`, with the status in the message, when the response is not 101.
    package init(
        host: String = "127.0.0.1",
        port: UInt16,
        path: String = "/v1/ws",
        subprotocol: String? = "muster.v1",
        headers: [(name: String, value: String)] = [],
        receiveBuffer: Int32? = nil,
        timeout: Int64 = 30_000
    ) throws(ClientError) {
        self.socket = try BlockingSocket(host: host, port: port, receiveBuffer: receiveBuffer)
        self.codec = WebSocketCodec(host: "\(host):\(port)", path: path, subprotocol: subprotocol, headers: headers)
        try self.flush()
        switch try self.next(timeout: timeout) {
        case .opened(let subprotocol): self.subprotocol = subprotocol
        case .refused(let answer): throw ClientError(.refused, message: "\(answer.status)")
        case .text, .binary, .ping, .pong, .closed:
            throw ClientError(.refused, message: "a frame arrived before the response to the handshake")
        }
    }

    /// Sends a text message.
    package func send(_ text: String) throws(ClientError) {
        self.codec.send(text: text.utf8)
        try self.flush()
    }

    /// Sends the bytes that are queued in the codec.
    package func flush() throws(ClientError) {
        let bytes = self.codec.outgoing
        self.codec.outgoing.removeAll(keepingCapacity: true)
        try self.socket.send(bytes)
    }

    /// Sends bytes without the codec.
    func sendRaw(_ bytes: [UInt8]) throws(ClientError) { try self.socket.send(bytes) }

    /// Waits for the next event of any kind.
    package func next(timeout: Int64 = 30_000) throws(ClientError) -> WebSocketEvent {
        let deadline = self.clock.milliseconds + timeout
        while self.events.isEmpty { try self.read(until: deadline) }
        return self.events.removeFirst()
    }

    /// Reads at most 64 KiB, waiting if necessary.
    ///
    /// Returns the next event if one is complete.
    func nextPiece(timeout: Int64 = 30_000) throws(ClientError) -> WebSocketEvent? {
        if self.events.isEmpty { try self.read(until: self.clock.milliseconds + timeout) }
        return self.events.isEmpty ? nil : self.events.removeFirst()
    }

    /// Waits for the next text message, and answers pings meanwhile.
    package func nextText(timeout: Int64 = 30_000) throws(ClientError) -> String {
        let deadline = self.clock.milliseconds + timeout
        while true {
            switch try self.next(timeout: max(1, deadline - self.clock.milliseconds)) {
            case .text(let bytes): return String(decoding: bytes, as: UTF8.self)
            case .ping, .pong, .binary, .opened, .refused: continue
            case .closed(let number, let reason):
                throw ClientError(.connectionLost, message: "closed with \(number) \(reason)")
            }
        }
    }

    /// Waits for the server's close frame, and drops other messages.
    func nextClose(timeout: Int64 = 30_000) throws(ClientError) -> UInt16 {
        let deadline = self.clock.milliseconds + timeout
        while true {
            if case .closed(let number, _) = try self.next(timeout: max(1, deadline - self.clock.milliseconds)) {
                return number
            }
        }
    }

    private func read(until deadline: Int64) throws(ClientError) {
        var codec = self.codec
        var events: [WebSocketEvent] = []
        let isAlive = try self.socket.receive(until: deadline) { codec.receive($0, into: &events) }
        self.codec = codec
        self.events = events
        if !self.codec.outgoing.isEmpty { try? self.flush() }
        if !isAlive { throw ClientError(.connectionLost, message: "the server closed the connection") }
    }
}
