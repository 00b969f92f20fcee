import Testing

@testable import WebSocketGateway

/// Request heads, and the rules for them in RFC 9112 and 9110.
enum HeadCases {
    /// A head and the reason why it is refused.
    ///
    /// `Host` and the empty line are added if it has none.
    typealias Case = (section: String, head: String, fault: HeadFault?)

    static let cases: [Case] = [
        ("2.1", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", nil),
        ("2.2, empty lines before it", "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", nil),
        ("2.2, too many of them", "\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", .requestLine),
        ("2.2, a blank before it", " GET / HTTP/1.1\r\nHost: x\r\n\r\n", .requestLine),
        ("2.2, bare LF", "GET / HTTP/1.1\nHost: x\n\n", .lineEnd),
        ("2.2, bare LF in headers", "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", .lineEnd),
        ("2.2, bare LF at the end", "GET / HTTP/1.1\r\nHost: x\r\n\n", .lineEnd),
        ("2.2, bare CR in the line", "GET /\ra HTTP/1.1\r\nHost: x\r\n\r\n", .target),
        ("2.2, a blank before the first header", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", .foldedField),
        ("2.3, 1.0 needs no Host", "GET / HTTP/1.0\r\n\r\n", nil),
        ("2.3, later minor", "GET / HTTP/1.7\r\nHost: x\r\n\r\n", nil),
        ("2.3, other major", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", .version),
        ("2.3, lower case", "GET / http/1.1\r\nHost: x\r\n\r\n", .requestLine),
        ("2.3, none", "GET /\r\nHost: x\r\n\r\n", .requestLine),
        ("2.3, too long", "GET / HTTP/1.10\r\nHost: x\r\n\r\n", .requestLine),
        ("3, two blanks", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", .requestLine),
        ("3, a blank in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", .requestLine),
        ("3, a tab", "GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n", .requestLine),
        ("3.1, lower case", "get / HTTP/1.1\r\nHost: x\r\n\r\n", .methodCase),
        ("3.1, mixed case", "Get / HTTP/1.1\r\nHost: x\r\n\r\n", .methodCase),
        ("3.1, no token", "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", .requestLine),
        ("3.1, unknown", "PROPFIND / HTTP/1.1\r\nHost: x\r\n\r\n", .unknownMethod),
        ("3.1, unknown", "M-SEARCH * HTTP/1.1\r\nHost: x\r\n\r\n", .unknownMethod),
        ("3.1, beginning as a known one", "GETX / HTTP/1.1\r\nHost: x\r\n\r\n", .unknownMethod),
        ("9110 9.3.6", "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n", .refusedMethod),
        ("9110 9.3.8", "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", .refusedMethod),
        ("3.2.1", "GET /a/b;c=d/@:!$&'()*+,?x=1&y=%zz HTTP/1.1\r\nHost: x\r\n\r\n", .targetEscape),
        ("3.2.1", "GET /a/b;c=d/@:!$&'()*+,?x=[1]&y={a|b} HTTP/1.1\r\nHost: x\r\n\r\n", nil),
        ("3.2.1, no slash", "GET a HTTP/1.1\r\nHost: x\r\n\r\n", .target),
        ("3.2.1, a fragment", "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", .target),
        ("3.2.1, a byte beyond ASCII", "GET /ü HTTP/1.1\r\nHost: x\r\n\r\n", .target),
        ("3.2.1, a backslash", "GET /a\\b HTTP/1.1\r\nHost: x\r\n\r\n", .target),
        ("3.2.2", "GET http://x/a HTTP/1.1\r\nHost: y\r\n\r\n", nil),
        ("3.2.2, no path", "GET HTTP://x HTTP/1.1\r\nHost: y\r\n\r\n", nil),
        ("3.2.2, https", "GET https://x:1?a HTTP/1.1\r\nHost: y\r\n\r\n", nil),
        ("3.2.2, no host", "GET http:///a HTTP/1.1\r\nHost: y\r\n\r\n", .target),
        ("3.2.2, user information", "GET http://a@x/ HTTP/1.1\r\nHost: y\r\n\r\n", .target),
        ("3.2.2, another scheme", "GET ftp://x/ HTTP/1.1\r\nHost: y\r\n\r\n", .target),
        ("3.2.2, two slashes", "GET http://x//a HTTP/1.1\r\nHost: y\r\n\r\n", .emptySegment),
        ("3.2.3", "GET x:80 HTTP/1.1\r\nHost: x\r\n\r\n", .target),
        ("3.2.4", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", .serverOptions),
        ("3.2.4, as an absolute target", "OPTIONS http://x HTTP/1.1\r\nHost: x\r\n\r\n", .serverOptions),
        ("3.2.4, another method", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", .target),
        ("9110 7.2, no Host", "GET / HTTP/1.1\r\nA: b\r\n\r\n", .missingHost),
        ("9110 7.2, two", "GET / HTTP/1.1\r\nHost: x\r\nHOST: x\r\n\r\n", .repeatedHost),
        ("9110 7.2, two, 1.0", "GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n", .repeatedHost),
        ("9110 4.2.1, empty", "GET / HTTP/1.1\r\nHost:\r\n\r\n", .host),
        ("9110 7.2, a path", "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", .host),
        ("9110 7.2, a list", "GET / HTTP/1.1\r\nHost: x, y\r\n\r\n", .host),
        ("9110 7.2, a wrong port", "GET / HTTP/1.1\r\nHost: x:8a\r\n\r\n", .host),
        ("9110 7.2, IPv6", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", nil),
        ("9110 7.2, half of IPv6", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .host),
        ("5.1, blank before the colon", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\n", .blankBeforeColon),
        ("5.1, tab before it", "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding\t: chunked\r\n\r\n", .blankBeforeColon),
        ("5.1, no colon", "GET / HTTP/1.1\r\nHost: x\r\nabc\r\n\r\n", .fieldName),
        ("5.1, no name", "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", .fieldName),
        ("5.1, no token", "GET / HTTP/1.1\r\nHost: x\r\nA(b): c\r\n\r\n", .fieldName),
        ("5.2, folded", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", .foldedField),
        ("5.5, NUL", "GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", .fieldValue),
        ("5.5, bare CR", "GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", .fieldValue),
        ("5.5, two CR", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\r\n\r\n", .fieldValue),
        ("5.5, DEL", "GET / HTTP/1.1\r\nHost: x\r\nA: b\u{7F}\r\n\r\n", .fieldValue),
        ("5.5, beyond ASCII", "GET / HTTP/1.1\r\nHost: x\r\nA: \tü \r\n\r\n", nil),
        ("6.3, a length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 05 \r\n\r\n", nil),
        ("6.3, a sign", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\n", .contentLength),
        ("6.3, minus", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", .contentLength),
        ("6.3, hexadecimal", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\n", .contentLength),
        ("6.3, none", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", .contentLength),
        ("6.3, a list", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 5\r\n\r\n", .contentLength),
        ("6.3, two", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", .repeatedLength),
        (
            "6.1, two codings",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: a\r\nTransfer-Encoding: chunked\r\n\r\n", .repeatedCoding
        ),
        (
            "6455 4.1, a body",
            "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nContent-Length: 5\r\n\r\n", .handshakeWithBody
        ),
        ("3986 6.2.2.2, an escaped letter", "GET /%6detrics HTTP/1.1\r\nHost: x\r\n\r\n", .plainEscape),
        ("3986 6.2.2.2, an escaped tilde", "GET /a%7Eb HTTP/1.1\r\nHost: x\r\n\r\n", .plainEscape),
        ("3986 6.2.2.2, in a query", "GET /a?%6d=%2e%2F%5c HTTP/1.1\r\nHost: x\r\n\r\n", nil),
        ("3986 2.2, an escaped colon", "GET /a%3Ab%20%C3%BC HTTP/1.1\r\nHost: x\r\n\r\n", nil),
        ("3986 2.2, an escaped slash", "GET /s/..%2f..%2fmetrics HTTP/1.1\r\nHost: x\r\n\r\n", .slashEscape),
        ("3986 2.2, an escaped backslash", "GET /a%5Cb HTTP/1.1\r\nHost: x\r\n\r\n", .slashEscape),
        ("3986 3.3, two slashes", "GET //metrics HTTP/1.1\r\nHost: x\r\n\r\n", .emptySegment),
        ("3986 3.3, two in the middle", "GET /a//b HTTP/1.1\r\nHost: x\r\n\r\n", .emptySegment),
        ("3986 3.3, two in a query", "GET /a?b//../c HTTP/1.1\r\nHost: x\r\n\r\n", nil),
        ("3986 6.2.2.3, one dot", "GET /./metrics HTTP/1.1\r\nHost: x\r\n\r\n", .dotSegment),
        ("3986 6.2.2.3, two at the end", "GET /a/.. HTTP/1.1\r\nHost: x\r\n\r\n", .dotSegment),
        ("3986 6.2.2.3, two before a query", "GET /a/..?b HTTP/1.1\r\nHost: x\r\n\r\n", .dotSegment),
        ("3986 6.2.2.3, escaped", "GET /%2e%2e/metrics HTTP/1.1\r\nHost: x\r\n\r\n", .plainEscape),
        ("3986 6.2.2.3, in a name", "GET /.well-known/a..b/... HTTP/1.1\r\nHost: x\r\n\r\n", nil),
        ("3986 2.1, half an escape", "GET /a%2 HTTP/1.1\r\nHost: x\r\n\r\n", .targetEscape),
        ("3986 2.1, a NUL", "GET /a%00 HTTP/1.1\r\nHost: x\r\n\r\n", .nul),
        ("3986 2.1, a NUL in a query", "GET /a?b=%00 HTTP/1.1\r\nHost: x\r\n\r\n", .nul),
        (
            "6585 5, too many headers",
            "GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "A: b\r\n", count: 80) + "\r\n", .tooManyFields
        ),
        (
            "6585 5, as many as can be",
            "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 79) + "Host: x\r\n\r\n", nil
        ),
        ("6585 5, too long", "GET / HTTP/1.1\r\nA: " + String(repeating: "b", count: 16_400), .tooLong),
        ("9112 1, no HTTP", "\u{16}\u{3}\u{1}\u{2}", .requestLine),
    ]
}

@Suite("The head of a request")
struct RequestHeadTests {
    private func fault(of head: String, inPiecesOf size: Int) -> HeadFault? {
        let bytes = Array(head.utf8)
        var reader = RequestHeadReader()
        var end = 0
        while end < bytes.count {
            end = min(end + size, bytes.count)
            do throws(HeadFault) {
                let found = try bytes[..<end].withUnsafeBytes { buffer in
                    Result { () throws(HeadFault) in try reader.read(buffer) }
                }.get()
                if let found { #expect(found.byteCount == bytes.count) }
            } catch {
                return error
            }
        }
        return nil
    }

    @Test("is taken or refused as the RFCs say, at once or byte by byte", arguments: HeadCases.cases.indices)
    func heads(_ index: Int) {
        let (section, head, fault) = HeadCases.cases[index]
        for size in [Int.max / 2, 7, 1] where head.utf8.count < 4000 || size > 1 {
            #expect(self.fault(of: head, inPiecesOf: size) == fault, "\(section): \(head.prefix(60))")
        }
    }

    @Test(
        "is made uniform: a path, one host, and nothing before it",
        arguments: [
            (
                "GET http://a:1/b?c HTTP/1.1\r\nA: b\r\nHost: other.example\r\n\r\n",
                "GET /b?c HTTP/1.1\r\nA: b\r\nHost: a:1\r\n\r\n"
            ),
            ("GET http://a.example HTTP/1.1\r\nHost:x\r\n\r\n", "GET / HTTP/1.1\r\nHost:a.example\r\n\r\n"),
            ("POST https://a?b HTTP/1.0\r\n\r\n", "POST /?b HTTP/1.0\r\n\r\n"),
            ("\r\nGET / HTTP/1.3\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
            ("\r\nGET http://a/ HTTP/1.1\r\nHost: bcd\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ]
    )
    func uniform(_ head: String, _ expected: String) throws {
        var bytes = Array((head + "behind").utf8)
        let found = try bytes.withUnsafeBytes { (buffer) throws(HeadFault) -> RequestHead? in
            var reader = RequestHeadReader()
            return try reader.read(buffer)
        }
        let saved = try #require(found).makeUniform(&bytes)
        #expect(String(decoding: bytes.dropLast(saved), as: UTF8.self) == expected + "behind")
    }
}

extension RequestHead {
    /// Makes the head at the start of an array uniform.
    fileprivate func makeUniform(_ bytes: inout [UInt8]) -> Int {
        bytes.withUnsafeMutableBytes { self.makeUniform($0) }
    }
}
