import Foundation
import MusterTestSupport
import MusterWire
import Synchronization
import Testing

@testable import MusterClient
@testable import WebSocketGateway

// On their own threads, because producers run on the cooperative pool.
@Suite("Streamed answers over HTTP", .serialized, .blocking)
struct HTTPStreamTests {
    /// Answers all requests with a stream.
    private func stream(
        from harness: borrowing GatewayHarness,
        _ produce: @escaping @Sendable (AnswerStream) async throws -> Void
    ) {
        harness.record.actions.withLock {
            $0.handler = { request in
                guard request.path == "/v1/stream" else { return nil }
                return HTTPResponse(
                    status: 200,
                    headers: [("content-type", "text/plain")],
                    stream: AnswerStream(produce)
                )
            }
        }
    }

    @Test("a streamed answer arrives whole, piece by piece, and the connection goes on")
    func streamedAnswer() async throws {
        let harness = try GatewayHarness()
        self.stream(from: harness) { stream in
            for number in 0..<500 { try await stream.write(Array("\(number),".utf8)) }
            try await stream.write([UInt8](repeating: 0x61, count: 3_000_000))
        }
        let client = try BlockingHTTP(port: harness.port)
        let expected = (0..<500).map { "\($0)," }.joined() + String(repeating: "a", count: 3_000_000)
        for _ in 0..<3 {
            let answer = try client.request("GET", "/v1/stream", timeout: 120_000)
            #expect(answer.status == 200)
            #expect(answer.headers["transfer-encoding"] == "chunked")
            #expect(answer.headers["content-length"] == nil)
            #expect(answer.headers["content-type"] == "text/plain")
            #expect(String(decoding: answer.body, as: UTF8.self) == expected)
            #expect(try client.request("GET", "/v1/next").status == 200)
        }
        #expect(harness.gateway.metrics.sockets == 1)
        let posted = try client.request("POST", "/v1/stream", body: [0x61], timeout: 120_000)
        #expect(posted.body.count == expected.utf8.count)
    }

    @Test("an empty stream is an empty body, and pieces come when they are written")
    func piecesInTime() async throws {
        let harness = try GatewayHarness()
        self.stream(from: harness) { _ in }
        #expect(try BlockingHTTP(port: harness.port).request("GET", "/v1/stream").body.isEmpty)

        let isOpen = Counter()
        self.stream(from: harness) { stream in
            try await stream.write(Array("first".utf8))
            while isOpen.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
            try await stream.write(Array("second".utf8))
        }
        let socket = try BlockingSocket(host: "127.0.0.1", port: harness.port)
        try socket.send(Array("GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        try socket.receive(through: "5\r\nfirst\r\n")
        isOpen.add()
        try socket.receive(through: "6\r\nsecond\r\n0\r\n\r\n")
    }

    @Test("HTTP/1.0 gets a stream that ends with the connection")
    func untilClose() async throws {
        let harness = try GatewayHarness()
        self.stream(from: harness) { stream in
            for _ in 0..<100 { try await stream.write([UInt8](repeating: 0x62, count: 10_000)) }
        }
        let socket = try BlockingSocket(host: "127.0.0.1", port: harness.port)
        try socket.send(Array("GET /v1/stream HTTP/1.0\r\n\r\n".utf8))
        let bytes = try socket.receiveAll()
        let head = String(decoding: bytes.prefix(2000), as: UTF8.self).lowercased()
        #expect(head.contains("connection: close"))
        #expect(!head.contains("transfer-encoding"))
        #expect(bytes.suffix(1_000_000).allSatisfy { $0 == 0x62 })
        #expect(bytes.dropLast(1_000_000).suffix(4) == Array("\r\n\r\n".utf8)[...])
    }

    @Test("HEAD of a stream is its head, and nothing is produced")
    func head() async throws {
        let harness = try GatewayHarness()
        let hasRun = Counter()
        self.stream(from: harness) { _ in hasRun.add() }
        let client = try BlockingHTTP(port: harness.port)
        let answer = try client.request("HEAD", "/v1/stream")
        #expect(answer.status == 200)
        #expect(try client.request("GET", "/v1/next").status == 200)
        #expect(hasRun.value == 0)
    }

    @Test("a producer that fails cuts the connection, so that half an answer does not look whole")
    func failure() async throws {
        struct Failure: Error {}
        let harness = try GatewayHarness()
        self.stream(from: harness) { stream in
            try await stream.write(Array("half".utf8))
            throw Failure()
        }
        let socket = try BlockingSocket(host: "127.0.0.1", port: harness.port)
        try socket.send(Array("GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        let text = String(decoding: try socket.receiveAll(), as: UTF8.self)
        #expect(text.hasSuffix("4\r\nhalf\r\n"))
    }

    @Test("a client that does not read slows the producer down, and one that leaves ends it")
    func backpressure() async throws {
        let harness = try GatewayHarness()
        let produced = Counter()
        let hasEnded = Counter()
        self.stream(from: harness) { stream in
            defer { hasEnded.add() }
            while true {
                try await stream.write([UInt8](repeating: 0x63, count: 16_384))
                produced.add(16_384)
            }
        }
        do {
            let socket = try BlockingSocket(host: "127.0.0.1", port: harness.port, receiveBuffer: 8192)
            try socket.send(Array("GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            // The producer fills the kernel's buffers, and stops while the client does not read.
            var last = -1
            let hasStopped = harness.eventually {
                usleep(300_000)
                defer { last = produced.value }
                return last > 0 && produced.value == last
            }
            #expect(hasStopped)
            #expect(produced.value < 20_000_000, "the kernel has buffers of a few megabytes")
            var count = 0
            while count < 2_000_000 { _ = try socket.receive(until: .max) { count += $0.count } }
            #expect(harness.eventually { produced.value > last })
            #expect(hasEnded.value == 0)
        }
        #expect(harness.eventually { hasEnded.value > 0 }, "the producer goes on for nobody")
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
    }

    @Test("an idle stream notices that its client has gone, or says no more", arguments: [false, true])
    func idleClient(saysNoMore: Bool) async throws {
        let harness = try GatewayHarness()
        let (hasBegun, hasEnded) = (Counter(), Counter())
        self.stream(from: harness) { stream in
            defer { hasEnded.add() }
            try await stream.write(Array(":\n\n".utf8))
            hasBegun.add()
            try await Task.sleep(for: .seconds(3600))
        }
        do {
            let client = try BlockingHTTP(port: harness.port)
            try client.sendRaw(Array("GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            #expect(harness.eventually { hasBegun.value > 0 })
            if saysNoMore {
                client.endSending()
                #expect(harness.eventually { hasEnded.value > 0 })
            }
        }
        #expect(harness.eventually { hasEnded.value > 0 && harness.gateway.metrics.sockets == 0 })
    }

    @Test("a client that takes nothing of a stream for too long is cut off")
    func standstill() async throws {
        let harness = try GatewayHarness { $0.timing.answerDeadline = 400 }
        let hasEnded = Counter()
        self.stream(from: harness) { stream in
            defer { hasEnded.add() }
            while true { try await stream.write([UInt8](repeating: 0x63, count: 65_536)) }
        }
        let socket = try BlockingSocket(host: "127.0.0.1", port: harness.port, receiveBuffer: 8192)
        try socket.send(Array("GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(harness.eventually { hasEnded.value > 0 && harness.gateway.metrics.sockets == 0 })
        withExtendedLifetime(socket) {}
    }

    @Test("a client that sends more before it has its stream is cut off")
    func timesOut() async throws {
        let harness = try GatewayHarness()
        let hasEnded = Counter()
        self.stream(from: harness) { stream in
            defer { hasEnded.add() }
            try await stream.write(Array("x".utf8))
            try await Task.sleep(for: .seconds(3600))
        }
        let socket = try BlockingSocket(host: "127.0.0.1", port: harness.port)
        try socket.send(Array("GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        try socket.receive(through: "1\r\nx\r\n")
        try socket.send(Array("GET /v1/next HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(harness.eventually { hasEnded.value > 0 && harness.gateway.metrics.sockets == 0 })
    }

    @Test("a gateway that stops ends its streams")
    func shutdown() async throws {
        let hasEnded = Counter()
        var client: BlockingHTTP?
        do {
            let harness = try GatewayHarness()
            let hasBegun = Counter()
            self.stream(from: harness) { stream in
                defer { hasEnded.add() }
                try await stream.write(Array("x".utf8))
                hasBegun.add()
                try await Task.sleep(for: .seconds(3600))
            }
            client = try BlockingHTTP(port: harness.port)
            try client?.sendRaw(Array("GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            #expect(harness.eventually { hasBegun.value > 0 })
        }
        for _ in 0..<1000 where hasEnded.value == 0 { usleep(10_000) }
        #expect(hasEnded.value == 1)
        withExtendedLifetime(client) {}
    }
}
