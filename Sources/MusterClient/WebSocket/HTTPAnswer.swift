/// An HTTP response as a client receives it.
package struct HTTPAnswer: Sendable {
    /// The status code.
    package let status: Int
    /// The headers by lower-case name.
    let headers: [String: String]
    /// The received part of the body.
    package let body: [UInt8]

    /// Creates a response.
    init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Parses the status line and headers of `head`, which ends before the empty line.
    init?(head: some Sequence<UInt8>, body: [UInt8]) {
        // Not split by Character, because CR LF is a single Character.
        var lines = String(decoding: Array(head), as: UTF8.self).unicodeScalars
            .split(separator: "\n").map { String(String.UnicodeScalarView($0.filter { $0 != "\r" })) }
        guard !lines.isEmpty else { return nil }
        let words = lines.removeFirst().split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        self.init(status: status, headers: headers, body: body)
    }
}
