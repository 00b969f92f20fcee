import Testing

@testable import OutboundHTTP

@Suite struct OperatorURLTests {
    @Test(
        "an address of the configuration is http or https with a host, perhaps a port and a path, and nothing else",
        arguments: [
            ("https://photon.example/api", "photon.example"), ("http://127.0.0.1:2322", "127.0.0.1:2322"),
            ("http://[::1]:5000/", "[::1]:5000"), ("HTTPS://Example.org", "example.org"),
        ]
    )
    func takes(_ text: String, authority: String) throws {
        #expect(try OperatorURL(configured: text).authority == authority)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "photon.example", "ftp://a.example", "file:///etc/passwd", "http://", "http://user@a.example",
            "http://user:word@a.example", "http://a.example?q=1", "http://a.example#x", "http://a b.example",
            "http://a.example\\@b.example", "http://a.example:0", "http://a.example:x", "http://a.example:70000",
            "http://ä.example", "http://a.example\r\nHost: b", "http://[]/", "http://a%2eb",
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: OperatorURL.Problem.self) { try OperatorURL(configured: text) }
    }

    @Test("clients' texts are percent-encoded, whatever they hold")
    func encodes() throws {
        let base = try OperatorURL(configured: "https://a.example/api/")
        let url = base.appending("table", "1/2?", query: [("q", "a&b=c #\u{fc}\n"), ("limit", "5")])
        #expect(url.description == "https://a.example/api/table/1%2F2%3F?q=a%26b%3Dc%20%23%C3%BC%0A&limit=5")
        #expect(url.authority == "a.example")
    }
}
