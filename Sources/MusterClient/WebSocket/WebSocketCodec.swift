// The client's side of RFC 6455, without any I/O: the server's bytes are the input; events and bytes for the server are
// the output. A struct for each connection, so that a load generator can run ten thousand of them on one thread.
//
// Frame: FIN and opcode (1 byte), MASK and length (1, 3 or 9 bytes), mask (4 bytes, only from clients), payload.
// `Sec-WebSocket-Accept` is not checked: it protects browsers from caches, and would need SHA-1 here.

/// The client-side state of one WebSocket.
struct WebSocketCodec: Sendable {
    private enum State {
        case connecting
        case open
        case ended
    }

    /// The queued output.
    ///
    /// The sender removes the bytes that it has sent.
    var outgoing: [UInt8] = []
    /// Whether pings are answered.
    var answersPings = true

    private var state = State.connecting
    private var incoming: [UInt8] = []
    private var message: [UInt8] = []
    private var messageIsText = true
    private var masks: UInt64

    /// Creates a connection whose handshake is queued in `outgoing`.
    ///
    /// - Parameters:
    ///   - host: the `Host` header.
    ///   - path: the path of the endpoint.
    ///   - subprotocol: the offered subprotocol; nil for none.
    ///   - headers: more headers, such as `Origin`.
    ///   - seed: the seed of the masks and of the key.
    init(
        host: String,
        path: String,
        subprotocol: String?,
        headers: [(name: String, value: String)] = [],
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.masks = seed | 1
        var request = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        request += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(Self.key(seed))\r\n"
        if let subprotocol { request += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        for header in headers { request += "\(header.name): \(header.value)\r\n" }
        self.outgoing.append(contentsOf: (request + "\r\n").utf8)
    }

    /// Queues a text message.
    mutating func send(text: some Sequence<UInt8>) { self.send(opcode: 1, Array(text)) }

    /// Queues a close frame.
    mutating func send(close number: UInt16) {
        self.send(opcode: 8, [UInt8(number >> 8), UInt8(number & 0xFF)])
    }

    /// Queues a frame of any kind, masked.
    mutating func send(opcode: UInt8, isFinal: Bool = true, _ payload: [UInt8]) {
        payload.withUnsafeBytes { self.send(opcode: opcode, isFinal: isFinal, bytes: $0) }
    }

    /// Queues a frame of any kind, masked.
    mutating func send(opcode: UInt8, isFinal: Bool = true, bytes payload: UnsafeRawBufferPointer) {
        self.outgoing.append((isFinal ? 0x80 : 0) | opcode)
        if payload.count < 126 {
            self.outgoing.append(0x80 | UInt8(payload.count))
        } else if payload.count < 65_536 {
            self.outgoing.append(0x80 | 126)
            self.outgoing.append(UInt8(payload.count >> 8))
            self.outgoing.append(UInt8(payload.count & 0xFF))
        } else {
            self.outgoing.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                self.outgoing.append(UInt8(payload.count >> shift & 0xFF))
            }
        }
        let mask = self.nextMask()
        withUnsafeBytes(of: mask.littleEndian) { self.outgoing.append(contentsOf: $0) }
        let start = self.outgoing.count
        self.outgoing.append(contentsOf: payload)
        self.outgoing.withUnsafeMutableBytes {
            Self.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
        }
    }

    /// Masks a payload in place, eight bytes at a time, because a load test sends a hundred thousand a second.
    private static func apply(_ mask: UInt32, to payload: UnsafeMutableRawBufferPointer) {
        let wide = (UInt64(mask) << 32 | UInt64(mask)).littleEndian
        var index = 0
        while index + 8 <= payload.count {
            let word = payload.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            payload.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < payload.count {
            payload[index] ^= UInt8(truncatingIfNeeded: mask >> UInt32(8 * (index & 3)))
            index += 1
        }
    }

    /// Whether no message is incomplete, so that `textMessage` may read the input before `receive` does.
    var isBetweenMessages: Bool {
        if case .open = self.state { self.incoming.isEmpty && self.message.isEmpty } else { false }
    }

    /// Returns the text message at the start of `bytes` and its end, if it is complete and in one frame.
    static func textMessage(
        startOf bytes: UnsafeRawBufferPointer
    ) -> (payload: UnsafeRawBufferPointer, end: Int)? {
        guard bytes.count >= 2, bytes[0] == 0x81 else { return nil }
        var count = Int(bytes[1])
        var start = 2
        if count == 126 {
            guard bytes.count >= 4 else { return nil }
            count = Int(bytes[2]) << 8 | Int(bytes[3])
            start = 4
        }
        // `receive` handles longer messages.
        guard count <= 0xFFFF, bytes[1] < 127, bytes.count >= start + count else { return nil }
        return (UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]), start + count)
    }

    /// Parses bytes of the server and appends their events to `events`.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, into events: inout [WebSocketEvent]) {
        self.incoming.append(contentsOf: bytes)
        if case .connecting = self.state { self.readHandshake(into: &events) }
        guard case .open = self.state else { return }
        var position = 0
        while let next = self.readFrame(at: position, into: &events) { position = next }
        self.incoming.removeFirst(position)
    }

    private mutating func readHandshake(into events: inout [WebSocketEvent]) {
        guard let end = self.incoming.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        let body = Array(self.incoming[end.upperBound...])
        guard let answer = HTTPAnswer(head: self.incoming[..<end.lowerBound], body: body) else {
            self.state = .ended
            return
        }
        guard answer.status == 101 else {
            // Wait for the body's promised length.
            guard body.count >= answer.headers["content-length"].flatMap({ Int($0) }) ?? 0 else { return }
            self.state = .ended
            events.append(.refused(answer))
            return
        }
        self.state = .open
        self.incoming.removeFirst(end.upperBound)
        events.append(.opened(subprotocol: answer.headers["sec-websocket-protocol"] ?? ""))
    }

    /// Parses one frame and returns its end; nil when it is incomplete.
    private mutating func readFrame(at start: Int, into events: inout [WebSocketEvent]) -> Int? {
        guard self.incoming.count >= start + 2 else { return nil }
        let first = self.incoming[start]
        var count = Int(self.incoming[start + 1] & 0x7F)
        var position = start + 2
        let extra = count == 126 ? 2 : count == 127 ? 8 : 0
        guard self.incoming.count >= position + extra else { return nil }
        if extra > 0 {
            count = self.incoming[position..<position + extra].reduce(0) { $0 << 8 | Int($1) }
            position += extra
        }
        guard self.incoming.count >= position + count else { return nil }
        let payload = self.incoming[position..<position + count]
        self.frameReceived(opcode: first & 0x0F, isFinal: first & 0x80 != 0, payload, into: &events)
        return position + count
    }

    private mutating func frameReceived(
        opcode: UInt8,
        isFinal: Bool,
        _ payload: ArraySlice<UInt8>,
        into events: inout [WebSocketEvent]
    ) {
        switch opcode {
        case 0, 1, 2:
            if opcode != 0 { self.messageIsText = opcode == 1 }
            self.message.append(contentsOf: payload)
            guard isFinal else { return }
            events.append(self.messageIsText ? .text(self.message) : .binary(self.message))
            self.message = []
        case 8:
            let bytes = Array(payload)
            let number = bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 1005
            events.append(.closed(number: number, reason: String(decoding: bytes.dropFirst(2), as: UTF8.self)))
            if case .open = self.state { self.send(opcode: 8, Array(bytes.prefix(2))) }
        case 9:
            if self.answersPings { self.send(opcode: 10, Array(payload)) }
            events.append(.ping)
        default: events.append(.pong)
        }
    }

    /// Xorshift: masks need not be secret here, only different.
    private mutating func nextMask() -> UInt32 {
        self.masks ^= self.masks << 13
        self.masks ^= self.masks >> 7
        self.masks ^= self.masks << 17
        return UInt32(truncatingIfNeeded: self.masks)
    }

    /// Returns 16 bytes in base 64: 21 digits of the seed's bits, and the 22nd with its two padding bits.
    private static func key(_ seed: UInt64) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bits = seed
        var text: [UInt8] = []
        for _ in 0..<21 {
            text.append(digits[Int(bits & 63)])
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bits = bits >> 29 | bits << 35
        }
        return String(decoding: text, as: UTF8.self) + "A=="
    }
}
