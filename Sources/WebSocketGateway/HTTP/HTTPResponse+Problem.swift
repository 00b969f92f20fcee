extension HTTPResponse {
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
