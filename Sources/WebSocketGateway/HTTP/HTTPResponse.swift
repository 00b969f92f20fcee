/// The response to an HTTP request.
package struct HTTPResponse: Sendable {
    /// The body; not sent in response to `HEAD`.
    package enum Body: Sendable {
        /// The whole body, with its length.
        case whole([UInt8])
        /// A body that a task writes while it is sent: chunked, or until the connection closes for an HTTP/1.0 client.
        case stream(AnswerStream)
    }

    /// The status code.
    package var status: Int
    /// Names (lower case) and values; `content-length` is added by the gateway.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var content: Body

    /// The reason phrase of the status code, such as `Not Found`.
    package var phrase: String { ResponseWriter.phrase(of: self.status) }

    /// The whole body; empty when it is a stream.
    package var body: [UInt8] {
        switch self.content {
        case .whole(let bytes): bytes
        case .stream: []
        }
    }

    /// Creates a response with a whole body.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.content = .whole(body)
    }

    /// Creates a response whose body is written while it is sent.
    package init(status: Int, headers: [(name: String, value: String)] = [], stream: AnswerStream) {
        self.status = status
        self.headers = headers
        self.content = .stream(stream)
    }

    /// Returns a problem response (RFC 9457) of the gateway itself.
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
