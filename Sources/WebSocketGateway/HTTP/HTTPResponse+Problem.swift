extension HTTPResponse {
    /// An answer by RFC 9457 that the gateway gives by itself.
    static func problem(_ status: Int, code: String, title: String, retryAfter: Int? = nil) -> HTTPResponse {
        var headers: [(name: String, value: String)] = [("content-type", "application/problem+json")]
        if let retryAfter { headers.append(("retry-after", "\(retryAfter)")) }
        let body = #"{"type":"about:blank","title":"\#(title)","status":\#(status),"code":"\#(code)"}"#
        return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    }
}
