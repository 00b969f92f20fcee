/// The headers that every answer carries, so that a page of ours can neither be framed nor made to load foreign code.
enum ResponsePolicy {
    /// The headers; with TLS also the promise to stay there.
    ///
    /// Map tiles are pictures of whatever host an operator chose, so pictures may come from any HTTPS host; code,
    /// styles and fonts only from here. The WebSocket is named by scheme because not every browser takes `'self'` for it.
    static func headers(isTLS: Bool) -> [(name: String, value: String)] {
        var headers = [
            (
                "content-security-policy",
                "default-src 'self'; img-src 'self' data: blob: https:; connect-src 'self' ws: wss:; "
                    + "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
            ),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            ("permissions-policy", "geolocation=(self), camera=(self), microphone=()"),
            ("cross-origin-opener-policy", "same-origin"),
        ]
        if isTLS { headers.append(("strict-transport-security", "max-age=31536000")) }
        return headers
    }
}
