import Testing

@testable import WebSocketGateway

@Suite("Chunked bodies")
struct ChunkedDecoderTests {
    /// Decodes `text` in pieces of `size` bytes.
    private func decode(_ text: String, by size: Int) -> (ChunkedDecoder.Progress, String) {
        var decoder = ChunkedDecoder()
        var body: [UInt8] = []
        let bytes = Array(text.utf8)
        var progress = ChunkedDecoder.Progress.incomplete
        for start in stride(from: 0, to: bytes.count, by: size) {
            progress = bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
                decoder.decode($0) { body.append(contentsOf: $0) }
            }
        }
        return (progress, String(decoding: body, as: UTF8.self))
    }

    @Test(
        "the pieces come out in order, however the bytes are cut",
        arguments: [
            ("0\r\n\r\n", ""),
            ("5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("5\r\nhello\r\nA;name=\"v\"\r\n0123456789\r\n00\r\n\r\n", "hello0123456789"),
            ("1\r\n\r\r\n2\r\n\r\n\r\n0\r\n\r\n", "\r\r\n"),
            ("3\r\nabc\r\n0\r\nExpires: never\r\nX: y\r\n\r\nGET / HTTP/1.1\r\n", "abc"),
        ]
    )
    func whole(_ text: String, _ body: String) {
        for size in [1, 2, 3, 7, 1000] { #expect(self.decode(text, by: size) == (.complete, body), "by \(size)") }
    }

    @Test(
        "what is no chunk is malformed, however the bytes are cut",
        arguments: [
            "\r\n", "x\r\n", "-5\r\nhello\r\n", "+5\r\nhello\r\n", "0x5\r\nhello\r\n", " 5\r\nhello\r\n",
            "5 \r\nhello\r\n",
            "5\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5\r\nhello!\r\n", "5\r\nhello\r0\r\n", "5\rhello",
            "fffffffffffffffff\r\n", "8000000000000000\r\n", "0\r\nX: y\n\r\n", "0\r\n\rX", "5;a\u{0}b\r\n",
            "5;a\nb\r\n",
            "1;" + String(repeating: "e", count: 5000) + "\r\n",
            "0\r\n" + String(repeating: "X: y\r\n", count: 2000) + "\r\n",
        ]
    )
    func malformed(_ text: String) {
        for size in [1, 2, 5, 10_000] { #expect(self.decode(text, by: size).0 == .malformed, "by \(size)") }
    }

    @Test(
        "a body that stops is incomplete",
        arguments: ["", "5", "5\r", "5\r\n", "5\r\nhel", "5\r\nhello\r\n0\r\n", "7fffffff\r\nx"]
    )
    func incomplete(_ text: String) {
        #expect(self.decode(text, by: 1).0 == .incomplete)
    }
}
