/// The headers that every answer carries, so that a page of ours can neither be framed nor made to load foreign code.
enum ResponsePolicy {
    /// The headers; with TLS also the promise to stay there.
    ///
    /// Everything comes from here but the map's tiles, pictures of the host that the operator chose: from any other, a
    /// picture would tell that host who looks at whom. The WebSocket is named by scheme because not every browser takes
    /// `'self'` for it.
    /// `tiles` is the source of the tiles, as `MapTiles.source(in:)` reads it; nil when there are none.
    static func headers(isTLS: Bool, tiles: String?) -> [(name: String, value: String)] {
        let pictures = ["'self'", "data:", tiles].compactMap(\.self).joined(separator: " ")
        var headers = [
            (
                "content-security-policy",
                "default-src 'self'; img-src \(pictures); connect-src 'self' ws: wss:; "
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
