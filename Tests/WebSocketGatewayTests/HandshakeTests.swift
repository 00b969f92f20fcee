import EventLoop
import MusterWire
import Synchronization
import Testing

@testable import MusterClient
@testable import WebSocketGateway

@Suite("WebSocket handshake", .serialized)
struct HandshakeTests {
    @Test("a client is told the subprotocol that it asked for", arguments: ["muster.v1", "muster.watch.v1"])
    func subprotocol(_ name: String) throws {
        let harness = try GatewayHarness()
        let client = try BlockingWebSocket(port: harness.port, subprotocol: name)
        #expect(client.subprotocol == name)
        try client.send("one")
        #expect(try client.nextText() == "one")
    }

    @Test("the subprotocol may stand among others")
    func subprotocolList() throws {
        let harness = try GatewayHarness()
        let client = try BlockingWebSocket(port: harness.port, subprotocol: "other.v9, muster.v1")
        #expect(client.subprotocol == "muster.v1")
    }

    @Test(
        "a handshake that is not allowed gets its HTTP status",
        arguments: [
            ("/v1/ws", "other.v1", nil, 400),
            ("/v1/ws", nil, nil, 400),
            ("/v1/ws", String(repeating: "x", count: 200), nil, 400),
            ("/v1/other", "muster.v1", nil, 404),
            ("/v1/ws", "muster.v1", "https://evil.example", 403),
            ("/v1/ws", "muster.v1", "null", 403),
        ] as [(String, String?, String?, Int)]
    )
    func refusals(path: String, subprotocol: String?, origin: String?, status: Int) throws {
        let harness = try GatewayHarness()
        let headers = origin.map { [(name: "Origin", value: $0)] } ?? []
        let error = #expect(throws: ClientError.self) {
            _ = try BlockingWebSocket(port: harness.port, path: path, subprotocol: subprotocol, headers: headers)
        }
        #expect(error?.code == .refused)
        #expect(error?.message == "\(status)")
        #expect(harness.record.opened.isEmpty)
    }

    @Test("pages of the same host and of named origins may connect")
    func allowedOrigins() throws {
        let harness = try GatewayHarness { $0.allowedOrigins = ["https://app.example"] }
        for origin in ["http://127.0.0.1:\(harness.port)", "https://app.example"] {
            let client = try BlockingWebSocket(port: harness.port, headers: [("Origin", origin)])
            try client.send("x")
            #expect(try client.nextText() == "x")
        }
    }

    @Test("a page that is refused is logged once, with what would let it in, and so is a proxy that says no address")
    func refusalsAreLogged() throws {
        let lines = Mutex<[String]>([])
        let log: @Sendable (LogEvent) -> Void = { event in
            lines.withLock { $0.append(([event.message] + event.fields.map(\.value)).joined(separator: " ")) }
        }
        let harness = try GatewayHarness(log: log) {
            $0.allowedOrigins = ["https://muster.example:8443"]
            $0.limits.exemptAddresses = ["127.0.0.0/8"]
        }
        // As forwarded by a proxy that omits the port.
        _ = try BlockingWebSocket(
            port: harness.port,
            headers: [("Origin", "https://muster.example:8443"), ("X-Forwarded-For", "203.0.113.9:40000")]
        )
        #expect(!lines.withLock { $0.contains { $0.contains("proxy") || $0.contains("origin") } })
        for _ in 0..<3 {
            #expect(throws: ClientError.self) {
                _ = try BlockingWebSocket(port: harness.port, headers: [("Origin", "https://other.example")])
            }
            _ = try BlockingWebSocket(port: harness.port, headers: [("X-Forwarded-For", "hidden-one")])
        }
        #expect(harness.eventually { lines.withLock { $0.contains { $0.contains("hidden-one") } } })
        let refused = lines.withLock { $0.filter { $0.contains("https://other.example") } }
        #expect(refused.count == 1)
        #expect(refused.first?.contains("127.0.0.1:\(harness.port)") ?? false)
        #expect(refused.first?.contains("--allow-origin") ?? false)
        #expect(lines.withLock { $0.filter { $0.contains("hidden-one") } }.count == 1)
    }

    @Test("while draining, new WebSockets get 503 and HTTP goes on")
    func draining() throws {
        let harness = try GatewayHarness()
        harness.gateway.beginDraining()
        let error = #expect(throws: ClientError.self) { _ = try harness.connect() }
        #expect(error?.message == "503")
        let answer = try BlockingHTTP(port: harness.port).request("GET", "/readyz")
        #expect(answer.status == 200)
        #expect(harness.gateway.metrics.refusals[.draining] == 1)
    }

    @Test("over the connection cap a client gets 503 and is told when to come back")
    func connectionCap() throws {
        let harness = try GatewayHarness { $0.limits.connections = 2 }
        let first = try harness.connect()
        let second = try harness.connect()
        let answer = try BlockingHTTP(port: harness.port).request("GET", "/healthz")
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] != nil)
        try first.send("still here")
        #expect(try first.nextText() == "still here")
        second.codec.send(close: 1000)
        try second.flush()
        #expect(harness.eventually { harness.gateway.metrics.sockets == 1 })
        let third = try harness.connect()
        try third.send("in")
        #expect(try third.nextText() == "in")
    }

    @Test("one address gets no more than its share")
    func addressCap() throws {
        let harness = try GatewayHarness {
            $0.limits.exemptsLoopback = false
            $0.limits.connectionsPerAddress = 2
        }
        let clients = [try harness.connect(), try harness.connect()]
        #expect(try BlockingHTTP(port: harness.port).request("GET", "/healthz").status == 429)
        #expect(harness.gateway.metrics.refusals[.addressCap] == 1)
        withExtendedLifetime(clients) {}
    }

    @Test("an address that knocks too often gets 429")
    func connectRate() throws {
        let harness = try GatewayHarness {
            $0.limits.exemptsLoopback = false
            $0.limits.connectsPerSecondPerAddress = 1
        }
        // The burst equals the rate of ten seconds.
        var statuses: [Int] = []
        for _ in 0..<14 { statuses.append(try BlockingHTTP(port: harness.port).request("GET", "/healthz").status) }
        #expect(statuses.prefix(10).allSatisfy { $0 == 200 })
        #expect(statuses.last == 429)
    }
}
