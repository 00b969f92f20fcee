import EventLoop

/// A kept-alive HTTP/1.1 connection with blocking calls and deadlines, for tests and small tools.
package final class BlockingHTTP {
    private let socket: BlockingSocket
    private let host: String
    private let clock = MonotonicClock.system
    private var incoming: [UInt8] = []

    /// Connects to a server.
    package init(host: String = "127.0.0.1", port: UInt16) throws(ClientError) {
        self.socket = try BlockingSocket(host: host, port: port)
        self.host = "\(host):\(port)"
    }

    /// Sends a request and waits for its response.
    ///
    /// A body is sent with `Content-Length`. Without a body, there is no such header.
    package func request(
        _ method: String,
        _ path: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        timeout: Int64 = 30_000
    ) throws(ClientError) -> HTTPAnswer {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(self.host)\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        try self.sendRaw(Array((head + "\r\n").utf8) + (body ?? []))
        return try self.answer(to: method, timeout: timeout)
    }

    /// Sends bytes unchanged.
    func sendRaw(_ bytes: [UInt8]) throws(ClientError) { try self.socket.send(bytes) }

    /// Closes the sending side.
    ///
    /// Reading continues.
    func endSending() { self.socket.endSending() }

    /// Waits for one response.
    func answer(to method: String = "GET", timeout: Int64 = 30_000) throws(ClientError) -> HTTPAnswer {
        let deadline = self.clock.milliseconds + timeout
        while true {
            if let answer = self.parseAnswer(to: method) { return answer }
            var bytes = self.incoming
            let isAlive = try self.socket.receive(until: deadline) { bytes.append(contentsOf: $0) }
            self.incoming = bytes
            if !isAlive { throw ClientError(.connectionLost, message: "the server closed the connection") }
        }
    }

    /// Waits until the server closes the connection.
    package func waitForEnd(timeout: Int64 = 30_000) throws(ClientError) {
        let deadline = self.clock.milliseconds + timeout
        while try self.socket.receive(until: deadline, { _ in }) {}
    }

    private func parseAnswer(to method: String) -> HTTPAnswer? {
        guard let end = self.incoming.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        guard let head = HTTPAnswer(head: self.incoming[..<end.lowerBound], body: []) else { return nil }
        let hasBody = method != "HEAD" && head.status != 204 && head.status != 304
        if hasBody, head.headers["transfer-encoding"] == "chunked" {
            guard let (body, count) = Self.chunks(self.incoming[end.upperBound...]) else { return nil }
            self.incoming.removeFirst(end.upperBound + count)
            return HTTPAnswer(status: head.status, headers: head.headers, body: body)
        }
        let count = hasBody ? head.headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        guard self.incoming.count >= end.upperBound + count else { return nil }
        let body = Array(self.incoming[end.upperBound..<end.upperBound + count])
        self.incoming.removeFirst(end.upperBound + count)
        return HTTPAnswer(status: head.status, headers: head.headers, body: body)
    }

    /// Returns a decoded chunked body and its encoded size; nil when it is incomplete.
    private static func chunks(_ bytes: ArraySlice<UInt8>) -> (body: [UInt8], count: Int)? {
        var body: [UInt8] = []
        var rest = bytes
        while let line = rest.firstRange(of: Array("\r\n".utf8)) {
            guard let count = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16),
                rest.endIndex >= line.upperBound + count + 2
            else { return nil }
            body += rest[line.upperBound..<line.upperBound + count]
            rest = rest[(line.upperBound + count + 2)...]
            if count == 0 { return (body, rest.startIndex - bytes.startIndex) }
        }
        return nil
    }
}
