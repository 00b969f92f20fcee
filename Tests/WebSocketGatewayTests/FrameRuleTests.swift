import EventLoop
import Testing

@testable import WebSocketGateway

@Suite("The rules of WebSocket frames", .serialized)
struct FrameRuleTests {
    /// The results of the frame reader for bytes in pieces: passed payload, pongs, and whether it failed.
    private func read(_ bytes: [UInt8], inPiecesOf size: Int) -> (passed: [UInt8], pongs: [UInt8], isBroken: Bool) {
        var reader = FrameReader()
        var result: (passed: [UInt8], pongs: [UInt8], isBroken: Bool) = ([], [], false)
        var waiting: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var buffer = waiting + rest.prefix(size)
            rest = rest.dropFirst(size)
            let outcome = buffer.withUnsafeMutableBytes { reader.read($0, pongs: &result.pongs) }
            result.passed += buffer.prefix(outcome.passed)
            waiting = Array(buffer.suffix(outcome.waiting))
            result.isBroken = result.isBroken || outcome.isBroken
        }
        return result
    }

    @Test("hold in whatever pieces frames come", arguments: FrameCase.all)
    func pieces(_ frames: FrameCase) {
        let bytes = Array(frames.frames.joined())
        let whole = self.read(bytes, inPiecesOf: .max)
        #expect(whole.isBroken == (frames.expected.last == "close 1002" && frames.number != "7.7.3"))
        for size in bytes.count < 2000 ? [1, 2, 3, 7] : [997] {
            let parts = self.read(bytes, inPiecesOf: size)
            #expect(parts.passed == whole.passed && parts.pongs == whole.pongs && parts.isBroken == whole.isBroken)
        }
    }

    /// Every code that the server sends is one of these, because clients echo it.
    @Test(
        "a close frame has a registered code, or one of an application",
        arguments: [
            (1000, true), (1003, true), (1004, false), (1005, false), (1006, false), (1007, true), (1011, true),
            (1012, true),
            (1013, true), (1014, true), (1015, false), (2999, false), (3000, true), (4503, true), (4999, true),
            (5000, false),
            (0, false), (999, false), (65_535, false),
        ] as [(UInt16, Bool)]
    )
    func closeCodes(code: UInt16, isAllowed: Bool) {
        let frame = RawWebSocket.frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)])
        #expect(self.read(frame, inPiecesOf: .max).isBroken == !isAllowed)
    }

    @Test("a client that answers a close frame is not waited for, whatever it answers", arguments: [1000, 1012, 5000])
    func answeredClose(code: Int) throws {
        let harness = try GatewayHarness()
        let client = try RawWebSocket(port: harness.port)
        try client.send(RawWebSocket.frame(1, Array("bye".utf8)))
        #expect(try client.next() == "close 1000")
        let start = MonotonicClock.system.milliseconds
        try client.send(RawWebSocket.frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)]))
        while try client.next() != nil {}
        #expect(MonotonicClock.system.milliseconds - start < 4000)
    }

    @Test("hold on the wire, by the numbers of Autobahn's cases")
    func wire() throws {
        let harness = try GatewayHarness()
        for frames in FrameCase.all {
            let client = try RawWebSocket(port: harness.port)
            var bytes = Array(frames.frames.joined())
            let isClosed = frames.expected.last?.hasPrefix("close") ?? false
            if !isClosed { bytes += RawWebSocket.frame(1, Array("end".utf8)) }
            // The server may close the connection while bytes are still being sent.
            try? client.send(bytes, inPiecesOf: frames.pieces)
            var received: [String] = []
            while let frame = try client.next(), frame != "text end" {
                received.append(frame)
                if frame.hasPrefix("close") { break }
            }
            #expect(received == frames.expected, "\(frames.number)")
        }
    }

    @Test("hold for frames that come together with the handshake")
    func early() throws {
        let harness = try GatewayHarness()
        let text = RawWebSocket.frame(1, Array("first".utf8))
        let ping = RawWebSocket.frame(9, Array("p".utf8))
        let client = try RawWebSocket(port: harness.port, early: ping + text)
        #expect(try [client.next(), client.next()] == ["pong p", "text first"])
        let broken = try RawWebSocket(port: harness.port, early: text + RawWebSocket.frame(1, [0x61], isMasked: false))
        #expect(try [broken.next(), broken.next(), broken.next()] == ["text first", "close 1002", nil])
    }

    @Test("a flood of pings is answered with the latest, and never with a backlog")
    func flood() throws {
        let harness = try GatewayHarness()
        let client = try RawWebSocket(port: harness.port)
        let count = 20_000
        var bytes: [UInt8] = []
        for index in 0..<count { bytes += RawWebSocket.frame(9, Array("\(index)".utf8)) }
        try client.send(bytes)
        var last: String?
        while last != "pong \(count - 1)", let frame = try client.next() { last = frame }
        #expect(last == "pong \(count - 1)")
        try client.send(RawWebSocket.frame(1, Array("after".utf8)))
        #expect(try client.next() == "text after")
    }
}
