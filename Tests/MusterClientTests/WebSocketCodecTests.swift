import Testing

@testable import MusterClient

@Suite struct WebSocketCodecTests {
    private static let acceptance = Array(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: muster.v1\r\n\r\n".utf8
    )

    /// A frame as a server sends it: not masked.
    private static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: bytes.append(UInt8(payload.count))
        case ..<65_536: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        case _: bytes += [127] + (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 0xFF) }
        }
        return bytes + payload
    }

    private static func makeCodec() -> WebSocketCodec {
        WebSocketCodec(host: "127.0.0.1:1", path: "/v1/ws", subprotocol: "muster.v1", seed: 7)
    }

    private static func open() -> WebSocketCodec {
        var codec = Self.makeCodec()
        _ = Self.feed(&codec, Self.acceptance)
        codec.outgoing = []
        return codec
    }

    private static func feed(_ codec: inout WebSocketCodec, _ bytes: [UInt8]) -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        bytes.withUnsafeBytes { codec.receive($0, into: &events) }
        return events
    }

    private static func texts(_ events: [WebSocketEvent]) -> [String] {
        events.compactMap { event in
            if case .text(let bytes) = event { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
    }

    @Test("the handshake offers the subprotocol and a key of 16 bytes, another one each time")
    func handshake() throws {
        func key(_ seed: UInt64) throws -> Substring {
            let codec = WebSocketCodec(host: "h", path: "/v1/ws", subprotocol: "muster.v1", seed: seed)
            let text = String(decoding: codec.outgoing, as: UTF8.self)
            #expect(text.hasPrefix("GET /v1/ws HTTP/1.1\r\nHost: h\r\n"))
            #expect(text.contains("\r\nSec-WebSocket-Protocol: muster.v1\r\n"))
            #expect(text.hasSuffix("\r\n\r\n"))
            return try #require(text.firstMatch(of: /Sec-WebSocket-Key: ([A-Za-z0-9+\/]{22}==)\r\n/)).1
        }
        #expect(try key(1) != key(2))
    }

    @Test(
        "messages of every length are whole, also when the bytes come one by one",
        arguments: [0, 125, 126, 65_535, 65_536]
    )
    func lengths(count: Int) {
        let payload = [UInt8](repeating: 0x61, count: count)
        let bytes = Self.acceptance + Self.frame(1, payload) + Self.frame(1, Array("next".utf8))
        var whole = Self.makeCodec()
        #expect(Self.texts(Self.feed(&whole, bytes)) == [String(repeating: "a", count: count), "next"])
        guard count < 1000 else { return }
        var single = Self.makeCodec()
        let events = bytes.flatMap { Self.feed(&single, [$0]) }
        #expect(Self.texts(events) == [String(repeating: "a", count: count), "next"])
    }

    @Test("what is sent is masked, and the mask changes from frame to frame", arguments: [5, 126, 70_000])
    func masking(count: Int) {
        var codec = Self.open()
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        codec.send(opcode: 2, payload)
        codec.send(opcode: 2, payload)
        let header = count < 126 ? 2 : count < 65_536 ? 4 : 10
        let size = header + 4 + count
        #expect(codec.outgoing.count == 2 * size)
        var masks: [[UInt8]] = []
        for start in [0, size] {
            let frame = Array(codec.outgoing[start..<start + size])
            #expect(frame[0] == 0x82)
            #expect(frame[1] & 0x80 != 0, "a server must refuse what is not masked")
            let mask = Array(frame[header..<header + 4])
            masks.append(mask)
            #expect(frame[(header + 4)...].enumerated().map { $1 ^ mask[$0 & 3] } == payload)
        }
        #expect(masks[0] != masks[1])
    }

    @Test("fragments are one message, with a ping between them that is answered")
    func fragments() {
        var codec = Self.open()
        let events = Self.feed(
            &codec,
            Self.frame(1, Array("one ".utf8), isFinal: false) + Self.frame(9, [1, 2, 3])
                + Self.frame(0, Array("two".utf8))
        )
        #expect(Self.texts(events) == ["one two"])
        #expect(codec.outgoing.first == 0x8A)
        #expect(codec.outgoing.count == 2 + 4 + 3)
    }

    @Test("a close is told with its code and reason, and answered with the code")
    func closing() throws {
        var codec = Self.open()
        let events = Self.feed(&codec, Self.frame(8, [0x11, 0x31] + Array("bye".utf8)))
        guard case .closed(let number, let reason) = try #require(events.first) else {
            Issue.record("not a close: \(events)")
            return
        }
        #expect(number == 4401)
        #expect(reason == "bye")
        #expect(codec.outgoing.first == 0x88)
        #expect(codec.outgoing.count == 2 + 4 + 2)
    }

    @Test("a refusal is told once its body is whole")
    func refusal() throws {
        var codec = Self.makeCodec()
        let head = Array("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nno".utf8)
        #expect(Self.feed(&codec, head).isEmpty)
        let events = Self.feed(&codec, Array("pe".utf8))
        guard case .refused(let answer) = try #require(events.first) else {
            Issue.record("not a refusal: \(events)")
            return
        }
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "3")
    }
}
