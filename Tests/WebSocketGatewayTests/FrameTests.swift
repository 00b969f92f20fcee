import Testing

@testable import MusterClient
@testable import MusterWire
@testable import WebSocketGateway

@Suite("WebSocket frames", .serialized)
struct FrameTests {
    @Test(
        "messages of every size that is allowed come back whole",
        arguments: [0, 1, 125, 126, 2000, 2048, 2049, 65_535, 65_536]
    )
    func sizes(_ count: Int) throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        let text = String(repeating: "a", count: count)
        try client.send(text)
        #expect(try client.nextText() == text)
    }

    @Test("a message in fragments, with a ping between them, is one message")
    func fragments() throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        client.codec.send(opcode: 1, isFinal: false, Array("one ".utf8))
        client.codec.send(opcode: 9, Array("p".utf8))
        client.codec.send(opcode: 0, isFinal: false, Array("two ".utf8))
        client.codec.send(opcode: 0, isFinal: true, Array("three".utf8))
        try client.flush()
        var sawPong = false
        var text: String?
        while text == nil || !sawPong {
            switch try client.next() {
            case .pong: sawPong = true
            case .text(let bytes): text = String(decoding: bytes, as: UTF8.self)
            default: continue
            }
        }
        #expect(text == "one two three")
    }

    @Test("many messages in one segment keep their order")
    func burst() throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        for number in 0..<500 { client.codec.send(text: "message \(number)".utf8) }
        try client.flush()
        for number in 0..<500 { #expect(try client.nextText() == "message \(number)") }
    }

    @Test("a message over 64 KiB closes with 1009, in one frame or in fragments", arguments: [1, 3])
    func tooLarge(fragments: Int) throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        let piece = [UInt8](repeating: 0x61, count: 65_537 / fragments + 1)
        for index in 0..<fragments {
            client.codec.send(opcode: index == 0 ? 1 : 0, isFinal: index == fragments - 1, piece)
        }
        try client.flush()
        #expect(try client.nextClose() == 1009)
        #expect(harness.eventually { harness.record.closed.first?.code == .tooLarge })
    }

    @Test("a binary message closes with 1003")
    func binary() throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        client.codec.send(opcode: 2, [1, 2, 3])
        try client.flush()
        #expect(try client.nextClose() == 1003)
        #expect(harness.eventually { harness.record.closed.first?.code == .unsupportedData })
    }

    @Test(
        "text that is not UTF-8 closes with 1007",
        arguments: [[0xFF], [0x61, 0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC3]] as [[UInt8]]
    )
    func invalidText(_ bytes: [UInt8]) throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        client.codec.send(opcode: 1, bytes)
        try client.flush()
        #expect(try client.nextClose() == 1007)
        #expect(harness.eventually { harness.record.closed.first?.code == .invalidText })
    }

    @Test(
        "frames that break the protocol close with 1002",
        arguments: [[0x83, 0x80, 0, 0, 0, 0], [0xC1, 0x80, 0, 0, 0, 0], [0x80, 0x80, 0, 0, 0, 0]] as [[UInt8]]
    )
    func protocolErrors(_ bytes: [UInt8]) throws {
        let harness = try GatewayHarness()
        do {
            let client = try harness.connect()
            try client.sendRaw(bytes)
            #expect(try client.nextClose() == 1002)
        }
        // The library continues to parse and may select another close code, but not on the wire.
        #expect(harness.eventually { harness.record.closed.count == 1 })
    }

    @Test(
        "a first frame without a mask closes with 1002, and the application hears nothing of it",
        arguments: [3, 125, 126, 20_000]
    )
    func unmaskedFirst(count: Int) throws {
        let harness = try GatewayHarness()
        do {
            let client = try harness.connect()
            let length = count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 0xFF)]
            try client.sendRaw([0x81] + length + [UInt8](repeating: 0x61, count: count))
            #expect(try client.nextClose() == 1002)
        }
        #expect(harness.eventually { harness.record.closed.count == 1 })
        #expect(harness.record.closed.first?.code == .protocolError)
    }

    @Test(
        "a masked first frame of any length is taken, also in pieces and with another behind it",
        arguments: [1, 125, 126, 20_000]
    )
    func maskedFirst(count: Int) throws {
        let harness = try GatewayHarness()
        let text = String(repeating: "a", count: count)
        for delaysRest in [false, true] {
            let client = try harness.connect()
            client.codec.send(text: text.utf8)
            if delaysRest {
                let frame = client.codec.outgoing
                client.codec.outgoing = []
                try client.sendRaw(Array(frame.prefix(3)))
                try client.sendRaw(Array(frame.dropFirst(3)))
            } else {
                client.codec.send(text: "behind".utf8)
                try client.flush()
            }
            #expect(try client.nextText() == text)
            if !delaysRest { #expect(try client.nextText() == "behind") }
        }
    }

    @Test("a later unmasked frame, which the library lets through, closes with 1002 behind what came before it")
    func unmasked() throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        try client.send("masked")
        #expect(try client.nextText() == "masked")
        client.codec.send(text: "before".utf8)
        let frame = client.codec.outgoing
        client.codec.outgoing = []
        try client.sendRaw(frame + [0x81, 3] + Array("raw".utf8) + frame)
        #expect(try client.nextText() == "before")
        #expect(try client.next().closeNumber == 1002)
    }

    @Test("a client's close frame is answered with its code, and told once")
    func peerClose() throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        try client.send("x")
        _ = try client.nextText()
        client.codec.send(close: 1000)
        try client.flush()
        #expect(try client.nextClose() == 1000)
        #expect(harness.eventually { harness.record.closed.count == 1 })
        #expect(harness.record.closed.first?.code.number == 1000)
    }

    @Test("when the application and the client close at once, one close frame goes out")
    func crossingCloses() throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        client.codec.send(text: "bye".utf8)
        client.codec.send(close: 1000)
        try client.flush()
        var closes = 0
        #expect(throws: ClientError.self) {
            while true { if case .closed = try client.next() { closes += 1 } }
        }
        #expect(closes == 1)
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
        #expect(harness.record.closed.count == 1)
    }

    @Test("a close by the application comes after what was sent before it")
    func applicationClose() throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        try client.send("bye")
        #expect(try client.nextClose() == 1000)
        #expect(throws: ClientError.self) { while true { _ = try client.next() } }
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
        #expect(harness.record.closed.count == 1)
    }

    @Test("a client that vanishes is told as 1006")
    func vanished() throws {
        let harness = try GatewayHarness()
        do {
            let client = try harness.connect()
            try client.send("x")
            _ = try client.nextText()
        }
        #expect(harness.eventually { harness.record.closed.count == 1 })
        #expect(harness.record.closed.first?.code == .abnormal)
    }

    @Test("a thousand connections that come and go leave nothing behind")
    func manyConnections() throws {
        let harness = try GatewayHarness { $0.shards = 2 }
        for _ in 0..<4 {
            var clients: [BlockingWebSocket] = []
            for _ in 0..<250 { clients.append(try harness.connect()) }
            for client in clients { try client.send("x") }
            for client in clients { #expect(try client.nextText() == "x") }
            #expect(harness.gateway.metrics.connections == 250)
            // Half close properly, half disappear.
            for client in clients.prefix(125) {
                client.codec.send(close: 1000)
                try client.flush()
            }
            clients.removeAll()
            #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
        }
        #expect(harness.gateway.metrics.connections == 0)
        #expect(harness.record.opened.count == 1000)
        #expect(harness.record.closed.count == 1000)
        #expect(Set(harness.record.closed.map(\.id)) == Set(harness.record.opened))
    }
}

extension WebSocketEvent {
    /// The code of the server's close frame; nil for other messages.
    fileprivate var closeNumber: UInt16? {
        if case .closed(let number, _) = self { number } else { nil }
    }
}
