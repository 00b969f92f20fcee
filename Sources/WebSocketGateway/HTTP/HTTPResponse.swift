/// The answer to an HTTP request.
package struct HTTPResponse: Sendable {
    /// What follows the headers; not sent in answer to `HEAD`.
    package enum Body: Sendable {
        /// All of it, with its length.
        case whole([UInt8])
        /// What a task writes while it is sent: chunked, or until the connection ends for a client of HTTP/1.0.
        case stream(AnswerStream)
    }

    /// The status code.
    package var status: Int
    /// Names (lower case) and values; `content-length` is added by the gateway.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var content: Body

    /// The words behind the status code, such as `Not Found`.
    package var phrase: String { ResponseWriter.phrase(of: self.status) }

    /// The whole body; empty when it is a stream.
    package var body: [UInt8] {
        switch self.content {
        case .whole(let bytes): bytes
        case .stream: []
        }
    }

    /// Creates a whole answer.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.content = .whole(body)
    }

    /// Creates an answer whose body is written while it is sent.
    package init(status: Int, headers: [(name: String, value: String)] = [], stream: AnswerStream) {
        self.status = status
        self.headers = headers
        self.content = .stream(stream)
    }

    /// An answer by RFC 9457 that the gateway gives by itself.
    ///
    /// The title is the status's phrase; `detail` is a sentence without quotation marks. `retryAfter` is in seconds.
    static func problem(_ status: Int, code: String, detail: String, retryAfter: Int? = nil) -> HTTPResponse {
        var headers: [(name: String, value: String)] = [
            ("content-type", "application/problem+json"), ("cache-control", "no-store"),
        ]
        if let retryAfter { headers.append(("retry-after", "\(retryAfter)")) }
        let title = ResponseWriter.phrase(of: status)
        let body =
            #"{"type":"about:blank","title":"\#(title)","status":\#(status),"detail":"\#(detail)","code":"\#(code)"}"#
        return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    }
}
