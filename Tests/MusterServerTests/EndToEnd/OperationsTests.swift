import Foundation
import MusterTestSupport
import Testing

@testable import MusterWire

@Suite("Operations", .blocking)
struct OperationsTests {
    @Test("/metrics is Prometheus text, and counts what happened")
    func metrics() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            for step in 0..<5 { try ada.sendFix(48.24 + Double(step) * 1e-6, 16.37) }
            ada.lastSequence -= 1
            try ada.sendFix(48.24, 16.37)
            try ada.sendFix(48.24, 16.37001, ["accuracy": 500])
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].longitude == 16.37001 }
            try ada.waitForAck()
            var samples: [String: Double] = [:]
            // The world publishes once a tick, possibly between two of the fixes, and the journal stores them after that,
            // so the test waits for the last fix and for the journal.
            let isCounted = try eventually {
                let page = try fixture.http("GET", "/metrics")
                #expect(page.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
                samples = try Self.parse(page.text)
                return samples[#"muster_fixes_total{verdict="inaccurate"}"#] == 1
                    && samples["muster_journal_waiting"] == 0
            }
            #expect(isCounted, "\(samples)")
            #expect(samples[#"muster_fixes_total{verdict="ok"}"#] == 5)
            #expect(samples[#"muster_fixes_total{verdict="duplicate"}"#] == 1)
            #expect(samples["muster_connections"] == 2)
            #expect(samples["muster_sessions"] == 2)
            #expect(samples["muster_groups"] == 1)
            #expect(samples["muster_ready"] == 1)
            #expect((samples["muster_frames_received_total"] ?? 0) >= 12)
            #expect((samples["muster_frames_sent_total"] ?? 0) >= 10)
            #expect((samples["muster_sent_bytes_total"] ?? 0) > 1000)
            #expect((samples["muster_journal_records_total"] ?? 0) >= 6)
            #expect((samples["muster_tick_seconds_count"] ?? 0) >= 1)
            #expect(samples["muster_tick_seconds_count"] == samples[#"muster_tick_seconds_bucket{le="+Inf"}"#])

            try ada.sendRaw(opcode: 2, [1])
            _ = try ada.expectClose()
            let isClosed = try eventually {
                try Self.parse(fixture.http("GET", "/metrics").text)[#"muster_closes_total{code="1003"}"#] == 1
            }
            #expect(isClosed)
        }
    }

    /// Parses a page as Prometheus would: each sample under a declared name, each name declared once.
    private static func parse(_ page: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var types: [String: String] = [:]
        for line in page.split(separator: "\n") {
            if line.hasPrefix("# HELP ") { continue }
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ").map(String.init)
                #expect(words.count == 4 && ["counter", "gauge", "histogram"].contains(words[3]), "\(line)")
                #expect(types.updateValue(words[3], forKey: words[2]) == nil, "\(words[2]) is declared twice")
                continue
            }
            let match = try #require(line.wholeMatch(of: /([a-z_:][a-z0-9_:]*)(\{[^{}]*\})? (\S+)/), "\(line)")
            let name = String(match.1).replacing(/_(bucket|sum|count)$/, with: "")
            #expect(types[name] != nil || types[String(match.1)] != nil, "\(line) has no type")
            let key = String(match.1) + (match.2.map(String.init) ?? "")
            let value = try #require(Double(match.3), "\(line)")
            #expect(samples.updateValue(value, forKey: key) == nil, "\(key) is there twice")
        }
        return samples
    }

    @Test("with --metrics-listen the metrics are served there and nowhere else")
    func metricsListener() async throws {
        try await ServerFixture.open(["--metrics-listen", "127.0.0.1:0"]) { fixture in
            #expect(try fixture.http("GET", "/metrics").status == 404)
            let port = try fixture.metricsPort()
            #expect(port != fixture.server.port)
            #expect(try fixture.http("GET", "/metrics", port: port).text.contains("muster_build_info"))
            #expect(try fixture.http("GET", "/v1/me", port: port).status == 404)
            #expect(try fixture.http("GET", "/", port: port).status == 404)
        }
    }

    @Test("the log is one JSON object a line, and tells no token, password, code or place")
    func log() async throws {
        try await ServerFixture.open(["--log-level", "debug"]) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let code = try ada.invite(to: group)
            _ = try fixture.http(
                "POST",
                "/v1/sessions",
                body: ["username": .string(ada.account.username), "password": "a wrong password"]
            )
            _ = try fixture.http("GET", "/v1/me", token: "a wrong token")
            try ada.sendFix(48.123456, 16.654321)
            try ada.sendBroken(#"{"type":"location","seq":7,"lat":91.123456}"#)
            try ada.sendBroken("nonsense \(ada.account.token)")
            try ada.waitForAck(of: 1)
            // The same device connects twice, which closes the first connection with a counted reason.
            _ = try fixture.enter(bo.account)
            _ = try bo.expectClose()
            _ = try fixture.http("DELETE", "/v1/sessions/current", token: ada.account.token)
            _ = try ada.expectClose()
            #expect(fixture.server.terminate() == 0)

            let lines = fixture.server.logLines
            #expect(lines.count >= 4)
            for line in lines {
                let frame = try? Frame(Array(line.utf8))
                #expect(frame?["at"].int != nil, "\(line)")
                #expect(["debug", "info", "warning", "error"].contains(frame?["level"].string), "\(line)")
                #expect(frame?["message"].string?.isEmpty == false, "\(line)")
            }
            let secrets = [
                ada.account.token, ada.account.password, bo.account.token, bo.account.password, "a wrong password",
                "a wrong token", code, "48.123456", "16.654321", "91.123456",
            ]
            for secret in secrets { #expect(!fixture.server.log.contains(secret), "the log tells \(secret)") }
        }
    }

    @Test("page, client module, contracts and Leaflet are served with their types and a policy")
    func page() async throws {
        try await ServerFixture.open { fixture in
            let table = [
                ("/", "text/html"), ("/muster.js", "text/javascript"), ("/style.css", "text/css"),
                ("/asyncapi.json", "application/json"), ("/openapi.json", "application/json"),
                ("/vendor/leaflet/leaflet.js", "text/javascript"), ("/vendor/leaflet/leaflet.css", "text/css"),
            ]
            for (path, type) in table {
                let reply = try fixture.http("GET", path)
                #expect(reply.status == 200, "\(path)")
                #expect(reply.headers["content-type"]?.hasPrefix(type) == true, "\(path): \(reply.headers)")
                #expect(reply.headers["content-security-policy"]?.contains("default-src 'self'") == true)
                #expect(reply.headers["etag"] != nil)
            }
        }
    }

    @Test("with a certificate the page is served over HTTPS, and sockets over WSS")
    func tls() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = (folder.appending(path: "cert.pem").path, folder.appending(path: "key.pem").path)
        let made = try Tool.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ]
        )
        try #require(made.status == 0, "\(made.output)")
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await ThrowawayCluster.shared().makeDatabase(migratedFrom: migrations)
        let server = try MusterProcess.serve(
            database: database,
            options: ["--tls-cert", certificate, "--tls-key", key]
        )
        #expect(server.url.hasPrefix("https://127.0.0.1:"))
        let page = try Tool.run("/usr/bin/curl", ["-sSi", "--cacert", certificate, "\(server.url)/"])
        #expect(page.status == 0, "\(page.output)")
        #expect(page.output.contains("200 OK"))
        #expect(page.output.lowercased().contains("strict-transport-security"))
        #expect(page.output.contains("<html"))
        let handshake = try Tool.run(
            "/usr/bin/python3",
            ["-c", Self.handshake, certificate, String(server.port)]
        )
        #expect(handshake.output.contains("101 Switching Protocols"), "\(handshake.output)")
        #expect(handshake.output.contains("\"code\":\"bad_request\""), "\(handshake.output)")
        #expect(server.terminate() == 0)
    }

    /// Connects over TLS, upgrades, sends a frame that is no `hello`, and prints the answer.
    private static let handshake = """
        import socket, ssl, sys
        context = ssl.create_default_context(cafile=sys.argv[1])
        port = int(sys.argv[2])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
                secure.sendall((
                    f"GET /v1/ws HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\nUpgrade: websocket\\r\\n"
                    "Connection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Protocol: muster.v1\\r\\n\\r\\n"
                ).encode())
                answer = secure.recv(4096)
                text = b'{"type":"ping","id":1}'
                secure.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
                while b"}" not in answer.split(b"\\r\\n\\r\\n", 1)[1]:
                    more = secure.recv(4096)
                    if not more:
                        break
                    answer += more
                print(answer.decode("utf-8", "replace"))
        """
}
