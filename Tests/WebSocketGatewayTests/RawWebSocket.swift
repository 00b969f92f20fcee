import EventLoop

@testable import MusterClient

/// A raw WebSocket that sends frames which no client sends, and returns received frames as text.
final class RawWebSocket {
    private let socket: BlockingSocket
    private var incoming: [UInt8] = []

    /// Connects and completes the handshake; `early` is sent together with the request.
    init(port: UInt16, early: [UInt8] = []) throws {
        self.socket = try BlockingSocket(host: "127.0.0.1", port: port)
        let head =
            "GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Protocol: muster.v1\r\n\r\n"
        try self.socket.send(Array(head.utf8) + early)
        while self.incoming.firstRange(of: Array("\r\n\r\n".utf8)) == nil { try self.receive() }
        if let end = self.incoming.firstRange(of: Array("\r\n\r\n".utf8)) { self.incoming.removeFirst(end.upperBound) }
    }

    /// A masked client frame, or a variant of it.
    static func frame(
        _ opcode: UInt8,
        _ payload: [UInt8] = [],
        isFinal: Bool = true,
        reserved: UInt8 = 0,
        isMasked: Bool = true,
        lengthBytes: Int? = nil
    ) -> [UInt8] {
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        let length = lengthBytes ?? (payload.count < 126 ? 0 : payload.count < 65_536 ? 2 : 8)
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        bytes.append((isMasked ? 0x80 : 0) | (length == 0 ? UInt8(payload.count) : length == 2 ? 126 : 127))
        for index in (0..<length).reversed() { bytes.append(UInt8(truncatingIfNeeded: payload.count >> (8 * index))) }
        guard isMasked else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
    }

    /// Sends bytes, in pieces of `size`.
    func send(_ bytes: [UInt8], inPiecesOf size: Int = .max) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try self.socket.send(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }

    /// The next frame, such as `text hello`, `pong` or `close 1002`; nil at the end of the connection.
    ///
    /// Pings of the gateway are skipped.
    func next() throws -> String? {
        while true {
            if let text = self.parse() {
                if !text.hasPrefix("ping") { return text }
            } else if try !self.receive() {
                return nil
            }
        }
    }

    @discardableResult
    private func receive() throws -> Bool {
        var bytes = self.incoming
        defer { self.incoming = bytes }
        return try self.socket.receive(until: MonotonicClock.system.milliseconds + 20_000) {
            bytes.append(contentsOf: $0)
        }
    }

    private func parse() -> String? {
        guard self.incoming.count >= 2 else { return nil }
        let short = Int(self.incoming[1])
        let header = short < 126 ? 2 : short == 126 ? 4 : 10
        guard self.incoming.count >= header else { return nil }
        let length = short < 126 ? short : self.incoming[2..<header].reduce(0) { $0 << 8 | Int($1) }
        guard self.incoming.count >= header + length else { return nil }
        let payload = Array(self.incoming[header..<header + length])
        let opcode = self.incoming[0] & 0x0F
        self.incoming.removeFirst(header + length)
        let text = String(decoding: payload, as: UTF8.self)
        switch opcode {
        case 8: return payload.count < 2 ? "close" : "close \(Int(payload[0]) << 8 | Int(payload[1]))"
        case 9: return "ping"
        case 10: return text.isEmpty ? "pong" : "pong \(text)"
        default: return "text \(text.count > 100 ? "of \(payload.count)" : text)"
        }
    }
}
