import EventLoop
import Foundation
import Glibc
import Synchronization
import Testing

@testable import MusterClient
@testable import WebSocketGateway

@Suite("HTTP on the gateway's port", .serialized)
struct HTTPTests {
    @Test("every method reaches the application with its body", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func bodies(_ method: String) throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        let body = String(repeating: "b", count: 10_000)
        let answer = try client.request(method, "/v1/things", body: Array(body.utf8))
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "\(method) /v1/things body=\(body)")
    }

    @Test("requests without a body go on over one connection", arguments: ["GET", "DELETE", "OPTIONS"])
    func keepAlive(_ method: String) throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        for number in 0..<5 {
            let answer = try client.request(method, "/v1/thing/\(number)")
            #expect(String(decoding: answer.body, as: UTF8.self) == "\(method) /v1/thing/\(number) body=")
            let posted = try client.request("POST", "/v1/thing", body: Array("\(number)".utf8))
            #expect(String(decoding: posted.body, as: UTF8.self) == "POST /v1/thing body=\(number)")
        }
        #expect(harness.gateway.metrics.sockets == 1)
    }

    @Test("a POST of length 0 is a request like others")
    func emptyPost() throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        for _ in 0..<3 {
            let answer = try client.request("POST", "/v1/empty", body: [])
            #expect(String(decoding: answer.body, as: UTF8.self) == "POST /v1/empty body=")
        }
    }

    @Test("requests sent at once are answered in order")
    func pipelining() throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        let requests = (0..<3).map { "GET /v1/\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
        try client.sendRaw(Array(requests.utf8))
        for number in 0..<3 {
            #expect(String(decoding: try client.answer().body, as: UTF8.self) == "GET /v1/\(number) body=")
        }
    }

    @Test("query fields and headers are decoded")
    func queryAndHeaders() throws {
        let harness = try GatewayHarness()
        let answer = try BlockingHTTP(port: harness.port).request(
            "GET",
            "/v1/q?device=web%2D1&empty=&name=a%20b",
            headers: [("Authorization", "Bearer abc")]
        )
        #expect(
            String(decoding: answer.body, as: UTF8.self)
                == "GET /v1/q device=web-1 empty= name=a b auth=Bearer abc body="
        )
    }

    @Test("a body over the limit gets 413, and a route may allow more")
    func bodyLimits() throws {
        let harness = try GatewayHarness {
            $0.limits.bodyBytes = 1000
            $0.bodyReception = { $1 == "/v1/photos" ? .whole(limit: 100_000) : nil }
        }
        let body = [UInt8](repeating: 0x61, count: 50_000)
        let refused = try BlockingHTTP(port: harness.port).request("POST", "/v1/locations", body: body)
        #expect(refused.status == 413)
        #expect(refused.headers["content-type"] == "application/problem+json")
        let allowed = try BlockingHTTP(port: harness.port).request("POST", "/v1/photos", body: body)
        #expect(allowed.status == 200)
    }

    /// Sends the head of a POST and then its body byte by byte, until an answer arrives.
    private func trickle(_ length: Int, to harness: borrowing GatewayHarness) throws -> HTTPAnswer {
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array("POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n".utf8))
        for _ in 0..<200 {
            try client.sendRaw([0x61])
            do throws(ClientError) {
                let answer = try client.answer(timeout: 20)
                // The connection is closed although the client continues.
                let isCut = harness.eventually {
                    _ = try? client.sendRaw([0x61])
                    return harness.gateway.metrics.sockets == 0
                }
                #expect(isCut)
                return answer
            } catch {
                guard error.code == .timedOut else { throw error }
            }
        }
        throw ClientError(.timedOut, message: "the body went on and on")
    }

    @Test("a body that trickles in gets 408 at its deadline, and its connection is cut")
    func slowBody() throws {
        let harness = try GatewayHarness { $0.timing.bodyDeadline = 400 }
        let answer = try self.trickle(50_000, to: harness)
        #expect(answer.status == 408)
        #expect(answer.headers["connection"] == "close")
        #expect(harness.record.requests.isEmpty)
    }

    @Test("a refused body that trickles in does not hold its connection")
    func slowRefusedBody() throws {
        let harness = try GatewayHarness { $0.limits.bodyBytes = 1000 }
        #expect(try self.trickle(50_000, to: harness).status == 413)
    }

    @Test("a byte of a refused body that comes as its connection is cut does not save it")
    func byteAtTheCut() throws {
        let harness = try GatewayHarness {
            $0.limits.bodyBytes = 1000
            $0.timing.resolution = 500
        }
        let ticking = try harness.connect()
        let client = try BlockingSocket(host: "127.0.0.1", port: harness.port)
        let descriptor = client.descriptor
        // On the gateway's thread, just before it checks the deadlines.
        harness.record.actions.withLock { $0.tick = { _ = Glibc.send(descriptor, "a", 1, Int32(MSG_NOSIGNAL)) } }
        try ticking.send("tick")
        try client.send(Array("POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n".utf8))
        let isCut = harness.eventually { harness.gateway.metrics.sockets == 1 }
        #expect(isCut)
        #expect(try ticking.nextText() == "tick", "the other connection is served on")
    }

    @Test("a body within its deadline is taken, and so is a later one of the same connection")
    func bodyInTime() throws {
        let harness = try GatewayHarness { $0.timing.bodyDeadline = 300 }
        let client = try BlockingHTTP(port: harness.port)
        let pause = WakeSignal()
        for _ in 0..<3 {
            #expect(try client.request("POST", "/v1/x", body: [0x61]).status == 200)
            pause.wait(timeoutMilliseconds: 200)
        }
    }

    @Test(
        "a body whose end cannot be found is refused",
        arguments: [
            ("POST /v1/x HTTP/1.0\r\nTransfer-Encoding: chunked", 411),
            ("DELETE /v1/x HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
            ("POST /v1/x HTTP/1.1\r\nTransfer-Encoding: gzip, chunked", 501),
            ("POST /v1/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5", 400),
        ]
    )
    func unknownLength(_ head: String, _ status: Int) throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array("\(head)\r\nHost: x\r\n\r\n".utf8))
        let answer = try client.answer()
        #expect(answer.status == status)
        #expect(answer.headers["connection"] == "close")
        #expect(harness.record.requests.isEmpty)
    }

    @Test(
        "a head over the limit gets 431, whatever in it is long, and one within it is taken",
        arguments: [
            ("GET /v1/%", 4000, 200), ("GET /v1/x?a=%", 4000, 200), ("GET /v1/x HTTP/1.1\r\nX-Any: %", 3900, 200),
            ("GET /v1/%", 16_000, 200), ("GET /v1/x?a=%", 9000, 200), ("GET /v1/x HTTP/1.1\r\nCookie: %", 5000, 200),
            ("GET /v1/x HTTP/1.1\r\nX-Any: %", 16_000, 200), ("GET /v1/x HTTP/1.1\r\nCookie: %", 16_000, 200),
            ("GET /v1/%", 16_400, 431), ("GET /v1/x?a=%", 17_000, 431), ("GET /v1/x HTTP/1.1\r\nX-Any: %", 16_400, 431),
            ("GET /v1/x HTTP/1.1\r\nCookie: %", 100_000, 431),
            ("POST /v1/x HTTP/1.1\r\nContent-Length: 5\r\nX-Any: %", 17_000, 431),
            ("GET /v1/ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Any: %", 17_000, 431),
        ]
    )
    func longHead(_ head: String, _ count: Int, _ status: Int) throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        // After another request, which has its own limit.
        let filling = String(repeating: "b", count: 2000)
        try client.sendRaw(Array("GET /v1/before HTTP/1.1\r\nHost: x\r\nX-Any: \(filling)\r\n\r\n".utf8))
        #expect(try client.answer().status == 200)
        let long = head.replacing("%", with: String(repeating: "a", count: count))
        let version = head.contains(" HTTP/1.1") ? "" : " HTTP/1.1"
        try client.sendRaw(Array("\(long)\(version)\r\nHost: x\r\n\r\n".utf8))
        let answer = try client.answer()
        #expect(answer.status == status)
        guard status == 431 else { return }
        #expect(String(decoding: answer.body, as: UTF8.self).contains("too_large"))
        #expect(answer.headers["connection"] == "close")
        #expect(harness.record.requests.count == 1)
    }

    @Test(
        "a path with a NUL in it is refused, and not served as what stands before it",
        arguments: [
            ("GET /%00", 400), ("GET /%00x", 400), ("GET /v1/%00", 400), ("GET /v1/%00x", 400),
            ("GET /v1/%00x?a=1", 400), ("POST /v1/%00x", 400), ("GET /v1/", 200), ("GET /v1/?a=1", 200),
            ("GET /v1/?", 200), ("GET /v1/x", 200), ("GET /v1/x?", 200),
        ]
    )
    func pathWithNUL(_ line: String, _ status: Int) throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        // After a longer request, which filled the library's buffer.
        let filling = String(repeating: "b", count: 200)
        try client.sendRaw(Array("GET /v1/\(filling)?\(filling) HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(try client.answer().status == 200)
        try client.sendRaw(Array("\(line) HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".utf8))
        let answer = try client.answer()
        #expect(answer.status == status)
        #expect(harness.record.requests.count == (status == 200 ? 2 : 1))
        if status == 400 { #expect(String(decoding: answer.body, as: UTF8.self).contains("bad_request")) }
    }

    @Test("an upgrade of a path with a NUL in it is refused", arguments: ["/%00", "/%00x", "/v1/%00x"])
    func upgradeWithNUL(_ path: String) throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        let head = "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        try client.sendRaw(Array(head.utf8))
        #expect(try client.answer().status == 400)
    }

    @Test("a long body behind a short head is no long head")
    func bodyIsNoHead() throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        for _ in 0..<3 {
            let body = String(repeating: "b", count: 30_000)
            try client.sendRaw(Array("POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n\(body)".utf8))
            #expect(try client.answer().status == 200)
        }
    }

    @Test("headers are found by name, also those that libwebsockets has no number for")
    func headersByName() throws {
        let harness = try GatewayHarness { $0.requestHeaders = ["x-limit-d", "idempotency-key"] }
        harness.record.actions.withLock {
            $0.handler = { request in
                let names = ["Accept-Language", "x-limit-d", "Idempotency-Key", "if-modified-since", "x-other"]
                let text = names.map { request.headers[$0] ?? "-" }.joined(separator: "|")
                return HTTPResponse(status: 200, body: Array(text.utf8))
            }
        }
        let answer = try BlockingHTTP(port: harness.port).request(
            "GET",
            "/v1/x",
            headers: [
                ("accept-language", "de, en;q=0.5"), ("X-Limit-D", " 7"), ("X-Other", "unseen"),
                ("If-Modified-Since", "Tue, 15 Nov 1994 12:45:26 GMT"),
            ]
        )
        #expect(String(decoding: answer.body, as: UTF8.self) == "de, en;q=0.5|7|-|Tue, 15 Nov 1994 12:45:26 GMT|-")
    }

    @Test(
        "what the gateway answers by itself says why, and pages of an allowed origin can read it",
        arguments: [
            ("GET /v1/ws HTTP/1.1", 426), ("DELETE /v1/x HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
            ("POST /v1/x HTTP/1.1\r\nContent-Length: 2000", 413), ("GET /nowhere HTTP/1.1", 404),
            ("GET /v1/ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket", 400),
            ("GET /v1/ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c", 400),
        ]
    )
    func ownProblems(_ head: String, _ status: Int) throws {
        let harness = try GatewayHarness {
            $0.limits.bodyBytes = 1000
            $0.allowedOrigins = ["https://App.example"]
        }
        for (origin, isAllowed) in [("https://app.example", true), ("https://other.example", false)] {
            let client = try BlockingHTTP(port: harness.port)
            try client.sendRaw(Array("\(head)\r\nHost: x\r\nOrigin: \(origin)\r\n\r\n".utf8))
            let answer = try client.answer()
            #expect(answer.status == status)
            #expect(answer.headers["content-type"] == "application/problem+json")
            let problem = try JSONDecoder().decode(Problem.self, from: Data(answer.body))
            #expect(problem.status == status)
            #expect(problem.detail.hasSuffix("."))
            #expect(problem.title != problem.detail)
            #expect(answer.headers["access-control-allow-origin"] == (isAllowed ? origin : nil))
            #expect(answer.headers["vary"] == (isAllowed ? "origin" : nil))
        }
    }

    private struct Problem: Decodable {
        let title: String
        let status: Int
        let detail: String
    }

    @Test("an answer may come later, from another thread")
    func laterAnswer() throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array("GET /v1/later HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(throws: ClientError.self) { try client.answer(timeout: 100) }
        let id = try #require(harness.record.requests.first)
        harness.gateway.respond(id, HTTPResponse(status: 201, body: Array("late".utf8)))
        #expect(try client.answer().status == 201)
        // A second answer is ignored, and the connection remains usable.
        harness.gateway.respond(id, HTTPResponse(status: 500))
        #expect(try client.request("GET", "/v1/next").status == 200)
    }

    @Test("a request that is not answered in time ends with its connection, and a late answer is ignored")
    func noAnswer() throws {
        let harness = try GatewayHarness { $0.timing.answerSeconds = 1 }
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array("GET /v1/later HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(harness.eventually { !harness.record.requests.isEmpty })
        #expect(harness.gateway.metrics.sockets == 1)
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
        let id = try #require(harness.record.requests.first)
        harness.gateway.respond(id, HTTPResponse(status: 201))
        #expect(throws: ClientError.self) { try client.answer(timeout: 1000) }
        #expect(try BlockingHTTP(port: harness.port).request("GET", "/v1/next").status == 200)
    }

    @Test("an answer of many megabytes arrives whole")
    func longAnswer() throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array("GET /v1/later HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(harness.eventually { !harness.record.requests.isEmpty })
        let id = try #require(harness.record.requests.first)
        let body = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0) }
        harness.gateway.respond(id, HTTPResponse(status: 200, body: body))
        #expect(try client.answer(timeout: 20_000).body == body)
        #expect(try client.request("GET", "/v1/next").status == 200)
    }

    @Test("a plain GET of the WebSocket's path gets 426")
    func upgradeRequired() throws {
        let harness = try GatewayHarness()
        #expect(try BlockingHTTP(port: harness.port).request("GET", "/v1/ws").status == 426)
    }

    @Test("HTTP/1.0 and Connection: close end the connection after the answer")
    func connectionClose() throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        #expect(try client.request("GET", "/v1/x", headers: [("Connection", "close")]).status == 200)
        try client.waitForEnd()
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
    }
}
