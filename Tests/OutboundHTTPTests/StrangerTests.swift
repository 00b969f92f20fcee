import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import OutboundHTTP

@Suite(.blocking) struct StrangerTests {
    private static let hostile = Result { try StandIn("hostile.py") }
    private static let loopback = OutboundAllowance(isEmpty: false) { $0.hasPrefix("127.") }

    private static func port() throws -> String {
        try String(Self.hostile.get().url.split(separator: ":").last ?? "")
    }

    @Test(
        "a client's URL is https, to a host or a public address, at an unprivileged port",
        arguments: [
            ("https://push.example/abc?d=e", "https://push.example"),
            ("https://Push.Example:443/", "https://push.example"),
            ("https://push.example:8443/x", "https://push.example:8443"),
            ("https://93.184.216.34/x", "https://93.184.216.34"),
            ("https://[2606:2800:220:1::1]/x", "https://[2606:2800:220:1::1]"),
        ]
    )
    func accepts(_ text: String, _ origin: String) throws {
        #expect(try StrangerURL(text).origin == origin)
    }

    @Test(
        "another address of a client is refused before anything is sent",
        arguments: [
            "http://push.example/", "file:///etc/passwd", "ftp://push.example/", "https://", "https:///x",
            "https://user@push.example/", "https://user:word@push.example/", "https://push.example/#a",
            "https://push.example/a b", "https://push.example\\@127.0.0.1/", "https://push.example:22/",
            "https://push.example:0/", "https://push.example:99999/", "https://127.0.0.1/", "https://127.0.0.1:8443/",
            "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1/",
            "https://0/", "https://0.0.0.0/", "https://10.1.2.3/", "https://100.64.0.1/", "https://169.254.169.254/",
            "https://172.31.0.1/", "https://192.168.1.1/", "https://198.18.0.1/", "https://224.0.0.1/",
            "https://255.255.255.255/", "https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:8.8.8.8]/", "https://[64:ff9b::7f00:1]/", "https://[64:ff9b:1::1]/",
            "https://[2002:7f00:1::1]/", "https://[2001::1]/", "https://[2001:db8::1]/", "https://[fc00::1]/",
            "https://[fe80::1]/", "https://[ff02::1]/", "https://[::1", "https://[localhost]/",
        ]
    )
    func refuses(_ text: String) { #expect(throws: StrangerURL.Problem.self) { try StrangerURL(text) } }

    @Test("the operator's own network may be named, without encryption too")
    func allows() throws {
        #expect(try StrangerURL("http://127.0.0.1:80/x", allowance: Self.loopback).origin == "http://127.0.0.1")
        #expect(throws: StrangerURL.Problem.self) {
            try StrangerURL("http://93.184.216.34/", allowance: Self.loopback)
        }
        #expect(throws: StrangerURL.Problem.self) { try StrangerURL("http://10.0.0.1/", allowance: Self.loopback) }
    }

    @Test("an address that is not public is never connected to, whatever name leads there", arguments: ["localhost"])
    func neverConnects(_ name: String) async throws {
        let client = StrangerClient(userAgent: "Muster/test", allowance: .nothing)
        let request = StrangerRequest(
            try StrangerURL("https://\(name):\(try Self.port())/ok"),
            body: [],
            headers: []
        )
        let error = await #expect(throws: OutboundError.self) { try await client.send(request) }
        #expect(error?.code == .forbidden)
    }

    @Test("an operator's open connection to an address does not open it to a client's URL")
    func sharesNothing() async throws {
        let operators = OutboundClient(userAgent: "Muster/test")
        let url = try OperatorURL(configured: try Self.hostile.get().url).appending("ok")
        #expect(try await operators.send(OutboundRequest(url)).status == 200)
        // Allowed by its spelling, and refused by the client of the same process.
        let stranger = try StrangerURL("http://127.0.0.1:\(try Self.port())/ok", allowance: Self.loopback)
        let client = StrangerClient(userAgent: "Muster/test", allowance: .nothing)
        let request = StrangerRequest(stranger, body: [], headers: [])
        let error = await #expect(throws: OutboundError.self) { try await client.send(request) }
        #expect(error?.code == .forbidden)
    }

    @Test("an allowed address gets the body and the headers, and a redirect is an answer")
    func posts() async throws {
        struct Echo: Decodable {
            let method: String
            let headers: [String: String]
            let body: String
        }
        let client = StrangerClient(userAgent: "Muster/test", allowance: Self.loopback)
        let base = "http://127.0.0.1:\(try Self.port())"
        let url = try StrangerURL("\(base)/echo", allowance: Self.loopback)
        let request = StrangerRequest(url, body: Array("sealed".utf8), headers: [("TTL", "60")])
        let answer = try await client.send(request)
        let echo = try JSONDecoder().decode(Echo.self, from: Data(answer.body))
        #expect((echo.method, echo.body, echo.headers["TTL"]) == ("POST", "sealed", "60"))
        let inward = try StrangerURL("\(base)/redirect?to=http://localhost:1/", allowance: Self.loopback)
        #expect(try await client.send(StrangerRequest(inward, body: [1], headers: [])).status == 302)
    }

    @Test("an answer that is too long, or that does not end, is cut", arguments: ["/huge", "/drip"])
    func cuts(_ path: String) async throws {
        let client = StrangerClient(userAgent: "Muster/test", allowance: Self.loopback)
        let url = try StrangerURL("http://127.0.0.1:\(try Self.port())\(path)", allowance: Self.loopback)
        var request = StrangerRequest(url, body: [], headers: [])
        if path == "/drip" { request.timeout = 1_000 }
        let wanted = request
        let error = await #expect(throws: OutboundError.self) { try await client.send(wanted) }
        #expect(error?.code == (path == "/drip" ? .timeout : .tooLarge))
    }
}
