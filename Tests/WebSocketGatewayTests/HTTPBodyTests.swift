import Foundation
import MusterTestSupport
import Synchronization
import Testing

@testable import MusterClient
@testable import MusterWire
@testable import WebSocketGateway

// On their own threads, because body readers run on the cooperative pool.
@Suite("Bodies of requests over HTTP", .serialized, .blocking)
struct HTTPBodyTests {
    /// Texts from tasks, in order.
    private final class Texts: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { self.texts.withLock { $0 } }
        func append(_ text: String) { self.texts.withLock { $0.append(text) } }
    }

    /// Answers requests from tasks, as an application does.
    private final class Answers: Sendable {
        private let respond: @Sendable (RequestID, HTTPResponse) -> Void

        init(_ harness: borrowing GatewayHarness) {
            let gateway = harness.gateway
            self.respond = { gateway.respond($0, $1) }
        }

        func answer(_ id: RequestID, _ body: @escaping @Sendable () async throws -> HTTPResponse) {
            Task {
                let response = (try? await body()) ?? HTTPResponse(status: 500)
                self.respond(id, response)
            }
        }
    }

    @Test("a chunked body reaches the application without its chunks, and the connection ends behind it")
    func chunkedBody() async throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array("POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n".utf8))
        try client.sendRaw(Array("5\r\nhello\r\n1".utf8))
        try client.sendRaw(Array("0\r\n0123456789abcdef\r\n0\r\n\r\n".utf8))
        let answer = try client.answer()
        #expect(String(decoding: answer.body, as: UTF8.self) == "POST /v1/x body=hello0123456789abcdef")
        #expect(answer.headers["connection"] == "close")
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
    }

    @Test("a request behind a chunked body is never taken for one", arguments: ["0\r\n\r\n", "0;x\r\nA: b\r\n\r\n"])
    func smuggling(_ end: String) async throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        let hidden = "GET /v1/hidden HTTP/1.1\r\nHost: x\r\n\r\n"
        let head = "POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        try client.sendRaw(Array((head + end + hidden).utf8))
        #expect(String(decoding: try client.answer().body, as: UTF8.self) == "POST /v1/x body=")
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
        #expect(harness.record.requests.count == 1)
    }

    @Test(
        "a request that announces no body has none, and what comes behind it is no request",
        arguments: ["POST", "PUT", "PATCH"],
        ["", "GET /v1/hidden HTTP/1.1\r\nHost: x\r\n\r\n"]
    )
    func unannounced(_ method: String, _ behind: String) async throws {
        let harness = try GatewayHarness { $0.bodyReception = Self.sink(1000) }
        let answers = Answers(harness)
        harness.record.actions.withLock {
            $0.handler = { request in
                guard let body = request.stream else { return nil }
                answers.answer(request.id) {
                    // The bytes after the head have arrived by the time of the answer.
                    try await Task.sleep(for: .milliseconds(100))
                    let text = String(decoding: try await body.collect(), as: UTF8.self)
                    return HTTPResponse(status: 200, body: Array("\(method) /v1/sink body=\(text)".utf8))
                }
                return nil
            }
        }
        for (path, version) in [("/v1/x", "1.1"), ("/v1/x", "1.0"), ("/v1/sink", "1.1")] {
            let client = try BlockingHTTP(port: harness.port)
            try client.sendRaw(Array("\(method) \(path) HTTP/\(version)\r\nHost: x\r\n\r\n\(behind)".utf8))
            let answer = try client.answer()
            #expect(String(decoding: answer.body, as: UTF8.self) == "\(method) \(path) body=")
            #expect(answer.headers["connection"] == "close")
            client.endSending()
            try client.waitForEnd()
        }
        #expect(harness.record.requests.count == 3)
    }

    @Test(
        "chunks that are none get 400, too many bytes 413, and neither reaches the application",
        arguments: [
            ("zz\r\n", 400), ("5\nhello", 400), ("5\r\nhelloX", 400), ("ffffffffffffffffff\r\n", 400),
            ("3e9\r\n" + String(repeating: "x", count: 1001), 413),
        ]
    )
    func hostileChunks(_ body: String, _ status: Int) async throws {
        let harness = try GatewayHarness { $0.limits.bodyBytes = 1000 }
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(
            Array("POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(body)".utf8)
        )
        let answer = try client.answer()
        #expect(answer.status == status)
        #expect(answer.headers["connection"] == "close")
        #expect(harness.record.requests.isEmpty)
    }

    @Test("a chunked body that trickles in gets 408")
    func slowChunks() async throws {
        let harness = try GatewayHarness { $0.timing.bodyDeadline = 300 }
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(
            Array("POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe".utf8)
        )
        #expect(try client.answer().status == 408)
    }

    /// Streams the bodies of requests for `/v1/sink`.
    private static func sink(_ limit: Int) -> @Sendable (HTTPMethod, String) -> BodyReception? {
        { $1 == "/v1/sink" ? .stream(limit: limit) : nil }
    }

    @Test("a body is read as it comes, with its length or in chunks", arguments: [false, true])
    func sink(isChunked: Bool) async throws {
        let harness = try GatewayHarness { $0.bodyReception = Self.sink(4_000_000) }
        let answers = Answers(harness)
        harness.record.actions.withLock {
            $0.handler = { request in
                guard let body = request.stream else { return nil }
                answers.answer(request.id) {
                    var (count, sum) = (0, 0)
                    while let piece = try await body.read() {
                        count += piece.count
                        for byte in piece { sum = (sum &* 31 &+ Int(byte)) & 0xFFFF_FFFF }
                    }
                    return HTTPResponse(status: 200, body: Array("\(count) \(sum)".utf8))
                }
                return nil
            }
        }
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let sum = body.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
        let client = try BlockingHTTP(port: harness.port)
        if isChunked {
            try client.sendRaw(Array("POST /v1/sink HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
            for start in stride(from: 0, to: body.count, by: 100_000) {
                try client.sendRaw(Array("\(String(100_000, radix: 16))\r\n".utf8))
                try client.sendRaw(Array(body[start..<start + 100_000]) + [0x0D, 0x0A])
            }
            try client.sendRaw(Array("0\r\n\r\n".utf8))
            #expect(String(decoding: try client.answer(timeout: 120_000).body, as: UTF8.self) == "3000000 \(sum)")
        } else {
            for _ in 0..<2 {
                let answer = try client.request("POST", "/v1/sink", body: body, timeout: 120_000)
                #expect(String(decoding: answer.body, as: UTF8.self) == "3000000 \(sum)")
            }
            let empty = try client.request("POST", "/v1/sink", body: [], timeout: 120_000)
            #expect(String(decoding: empty.body, as: UTF8.self) == "0 0")
        }
    }

    @Test("a body that is read as it comes may wait for its reader, but may not drip")
    func steadyBody() async throws {
        let harness = try GatewayHarness {
            $0.bodyReception = Self.sink(10_000_000)
            $0.timing.bodyDeadline = 4000
            $0.timing.bodySilence = 2000
        }
        let answers = Answers(harness)
        let isRead = Counter()
        harness.record.actions.withLock {
            $0.handler = { request in
                guard let body = request.stream else { return nil }
                answers.answer(request.id) {
                    while isRead.value == 0 { try await Task.sleep(for: .milliseconds(10)) }
                    return HTTPResponse(status: 200, body: Array("\(try await body.collect().count)".utf8))
                }
                return nil
            }
        }
        let client = try BlockingHTTP(port: harness.port)
        let head = "POST /v1/sink HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n"
        try client.sendRaw(Array(head.utf8) + [UInt8](repeating: 1, count: 300_000))
        // Longer than a body may stall, for both the gateway and the library.
        usleep(11_000_000)
        isRead.add()
        #expect(String(decoding: try client.answer(timeout: 120_000).body, as: UTF8.self) == "300000")
        let dripping = try BlockingHTTP(port: harness.port)
        try dripping.sendRaw(Array((head + "a few").utf8))
        for _ in 0..<20 {
            usleep(100_000)
            try? dripping.sendRaw([0])
        }
        #expect(try dripping.answer(timeout: 120_000).status == 408)
    }

    @Test("a body of which nothing more comes gets 408, long before its deadline", arguments: [true, false])
    func silence(isStreamed: Bool) async throws {
        let harness = try GatewayHarness {
            if isStreamed { $0.bodyReception = Self.sink(10_000_000) }
            $0.timing.bodyDeadline = 300_000
            $0.timing.bodySilence = 600
        }
        let isFailed = Counter()
        let answers = Answers(harness)
        harness.record.actions.withLock {
            $0.handler = { request in
                guard let body = request.stream else { return nil }
                answers.answer(request.id) {
                    defer { isFailed.add() }
                    return HTTPResponse(status: 200, body: try await body.collect())
                }
                return nil
            }
        }
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array("POST /v1/sink HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n".utf8))
        // Received pieces restart the deadline.
        for _ in 0..<8 {
            usleep(100_000)
            try client.sendRaw([0])
        }
        let answer = try client.answer(timeout: 60_000)
        #expect(answer.status == 408)
        #expect(answer.headers["connection"] == "close")
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 }, "the connection is still there")
        if isStreamed { #expect(harness.eventually { isFailed.value == 1 }, "the handler still waits") }
        let next = try BlockingHTTP(port: harness.port)
        #expect(try next.request("POST", "/v1/other", body: [0x61]).status == 200)
    }

    @Test("a handler that does not read stops the client, and no more than a little is kept")
    func slowHandler() async throws {
        let harness = try GatewayHarness {
            $0.bodyReception = Self.sink(100_000_000)
            // The handler shares the cooperative pool with other tests, which may occupy it for a long time.
            $0.timing.bodyDeadline = 300_000
        }
        let answers = Answers(harness)
        let mayRead = Counter()
        let largest = Counter()
        harness.record.actions.withLock {
            $0.handler = { request in
                guard let body = request.stream else { return nil }
                answers.answer(request.id) {
                    while mayRead.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
                    var count = 0
                    while let piece = try await body.read() {
                        count += piece.count
                        if count == piece.count { largest.add(piece.count) }
                    }
                    return HTTPResponse(status: 200, body: Array("\(count)".utf8))
                }
                return nil
            }
        }
        let client = try BlockingSocket(host: "127.0.0.1", port: harness.port)
        let total = 12_000_000
        try client.send(Array("POST /v1/sink HTTP/1.1\r\nHost: x\r\nContent-Length: \(total)\r\n\r\n".utf8))
        let descriptor = client.descriptor
        let sent = Counter()
        let chunk = [UInt8](repeating: 0x64, count: 100_000)
        let sender = Thread {
            var left = total
            while left > 0 {
                let count = send(descriptor, chunk, min(left, chunk.count), Int32(MSG_NOSIGNAL))
                guard count > 0 else { return }
                left -= count
                sent.add(count)
            }
        }
        sender.start()
        var last = -1
        let hasStopped = harness.eventually {
            usleep(300_000)
            defer { last = sent.value }
            return last > 0 && sent.value == last
        }
        #expect(hasStopped)
        #expect(sent.value < total, "all of it was taken though nobody read it")
        mayRead.add()
        try client.receive(through: "\(total)")
        #expect(sent.value == total)
        #expect(largest.value <= 2 * RequestBody.capacity, "what waited for the handler was \(largest.value) bytes")
    }

    @Test("an answer before the end of a body ends the request: a wrong token costs no upload")
    func earlyAnswer() async throws {
        let harness = try GatewayHarness { $0.bodyReception = Self.sink(100_000_000) }
        harness.record.actions.withLock { $0.handler = { $0.stream == nil ? nil : HTTPResponse(status: 401) } }
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array("POST /v1/sink HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n".utf8))
        let answer = try client.answer()
        #expect(answer.status == 401)
        #expect(answer.headers["connection"] == "close")
        #expect(
            harness.eventually {
                _ = try? client.sendRaw([UInt8](repeating: 0, count: 65_536))
                return harness.gateway.metrics.sockets == 0
            }
        )
    }

    @Test("a handler learns that a body will not come to its end")
    func lostBody() async throws {
        let harness = try GatewayHarness { $0.bodyReception = Self.sink(1000) }
        let answers = Answers(harness)
        let failed = Counter()
        let texts = Texts()
        harness.record.actions.withLock {
            $0.handler = { request in
                guard let body = request.stream else { return nil }
                answers.answer(request.id) {
                    do throws(RequestBody.Failure) {
                        while try await body.read() != nil {}
                    } catch {
                        texts.append("\(error)")
                        failed.add(1)
                    }
                    return HTTPResponse(status: 200)
                }
                return nil
            }
        }
        do {
            let gone = try BlockingHTTP(port: harness.port)
            try gone.sendRaw(Array("POST /v1/sink HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nabc".utf8))
            #expect(harness.eventually { harness.record.requests.count == 1 })
        }
        #expect(harness.eventually { failed.value == 1 })
        for (body, status) in [("zz\r\n", 400), ("3e9\r\n" + String(repeating: "x", count: 1001), 413)] {
            let client = try BlockingHTTP(port: harness.port)
            try client.sendRaw(
                Array("POST /v1/sink HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(body)".utf8)
            )
            #expect(try client.answer().status == status)
        }
        #expect(harness.eventually { failed.value == 3 })
        #expect(Set(texts.all) == ["incomplete", "malformed", "tooLarge"])
    }
}
