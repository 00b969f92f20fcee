import MusterTestSupport
import Synchronization
import Testing

@testable import MusterClient
@testable import WebSocketGateway

@Suite("Requests as bytes", .serialized, .blocking)
struct RawRequestTests {
    private static let second = "GET /v1/second HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test("a head that is refused gets its status as JSON, and nothing behind it is answered")
    func refusals() throws {
        let harness = try GatewayHarness { $0.responseHeaders = [("x-ours", "yes")] }
        var clients: [BlockingHTTP] = []
        for (section, head, fault) in HeadCases.cases {
            guard let fault else { continue }
            let client = try BlockingHTTP(port: harness.port)
            try? client.sendRaw(Array((head + Self.second).utf8))
            let answer = try client.answer()
            #expect(answer.status == fault.status, "\(section)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.headers["x-ours"] == "yes" && answer.headers["connection"] == "close")
            #expect((answer.headers["allow"] != nil) == (fault.status == 405))
            client.endSending()
            clients.append(client)
        }
        // The gateway delays the end of each connection; the delays run concurrently.
        for client in clients { try client.waitForEnd() }
        #expect(harness.record.requests.isEmpty)
    }

    @Test(
        "a refused head behind a request that is served is refused all the same, in one piece or many",
        arguments: [1, 50, 10_000]
    )
    func behindOthers(size: Int) throws {
        let harness = try GatewayHarness()
        let kept = "GET /v1/a HTTP/1.1\r\nHost: x\r\n\r\n"
        let client = try BlockingHTTP(port: harness.port)
        Self.send(kept + kept + "GET /v1/b HTTP/1.1\r\nHost : x\r\n\r\n" + Self.second, inPiecesOf: size, to: client)
        #expect(try [client.answer().status, client.answer().status, client.answer().status] == [200, 200, 400])
        client.endSending()
        try client.waitForEnd()
        #expect(harness.record.requests.count == 2)
    }

    @Test("a request that comes behind a body before its answer ends the connection, and keeps no thread busy")
    func behindBodies() throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        let post = "POST /v1/a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
        Self.send(post + post, inPiecesOf: 10_000, to: client)
        try client.waitForEnd()
        let another = try BlockingHTTP(port: harness.port)
        Self.send(post, inPiecesOf: 1, to: another)
        #expect(try another.answer().status == 200)
    }

    private static func send(_ text: String, inPiecesOf size: Int, to client: BlockingHTTP) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try? client.sendRaw(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }

    @Test("an absolute target is its path at its host")
    func absoluteTarget() throws {
        let harness = try GatewayHarness()
        harness.record.actions.withLock {
            $0.handler = {
                HTTPResponse(
                    status: 200,
                    body: Array("\($0.path) \($0.headers["host"] ?? "") \($0.queryValue("q") ?? "")".utf8)
                )
            }
        }
        let client = try BlockingHTTP(port: harness.port)
        for _ in 0..<2 {
            try client.sendRaw(Array("GET HTTP://a.example:8080/v1/x?q=1 HTTP/1.1\r\nHost: other\r\n\r\n".utf8))
            #expect(String(decoding: try client.answer().body, as: UTF8.self) == "/v1/x a.example:8080 1")
        }
    }

    @Test("who asks whether to send a body is told at once, and a body that is encoded is refused")
    func bodies() throws {
        let harness = try GatewayHarness()
        let client = try BlockingHTTP(port: harness.port)
        let head = "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
        try client.sendRaw(Array("\(head)Expect: 100-Continue\r\n\r\n".utf8))
        #expect(try client.answer().status == 100)
        try client.sendRaw(Array("hello".utf8))
        #expect(try client.answer().status == 200)
        // The client is not asked to continue with a body that is refused anyway.
        try client.sendRaw(Array("\(head)Expect: 100-continue\r\nContent-Encoding: gzip\r\n\r\n".utf8))
        let refusal = try client.answer()
        #expect(refusal.status == 415)
        #expect(String(decoding: refusal.body, as: UTF8.self).contains("Content-Encoding"))
        let plain = try BlockingHTTP(port: harness.port)
        try plain.sendRaw(Array("\(head)Content-Encoding: identity\r\n\r\nhello".utf8))
        #expect(try plain.answer().status == 200)
    }

    /// Sends each line of a hexadecimal file over a new connection, and prints the status of each answer.
    private static let client = """
        import re, ssl, socket, sys
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        for line in open(sys.argv[2]):
            s = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1]))))
            s.settimeout(10)
            data = bytes.fromhex(line)
            try:
                for start in range(0, len(data), 4000): s.sendall(data[start:start + 4000])
            except OSError: pass
            got = b""
            try:
                while b"\\r\\n\\r\\n" not in got:
                    piece = s.recv(65536)
                    if not piece: break
                    got += piece
            except OSError: pass
            print(got.split()[1].decode() if got else "none", len(re.findall(rb"HTTP/1[.]1 [0-9]{3} ", got)), flush=True)
            s.close()
        """

    @Test("with TLS heads are refused as without")
    func encrypted() throws {
        let folder = try TemporaryFolder()
        let tls = try TLSTests.makeCertificate(in: folder)
        let harness = try GatewayHarness { $0.tls = tls }
        let cases = HeadCases.cases.filter { $0.fault != nil }
        let lines = cases.map {
            Array(($0.head + Self.second).utf8).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
        }
        try folder.write(lines.joined(separator: "\n"), to: "heads.txt")
        let output = try Tool.run(
            "/usr/bin/env",
            ["python3", "-c", Self.client, "\(harness.port)", folder.path + "/heads.txt"]
        ).output
        let answers = output.split(separator: "\n").map(String.init)
        #expect(answers.count == cases.count)
        for (found, expected) in zip(answers, cases) {
            #expect(found == "\(expected.fault?.status ?? 0) 1", "\(expected.section)")
        }
        #expect(harness.record.requests.isEmpty)
    }
}
