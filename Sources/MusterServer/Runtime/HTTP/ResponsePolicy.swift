/// The headers of every response.
///
/// Pages of this server can neither be framed nor load foreign code.
enum ResponsePolicy {
    /// The headers; with TLS also `strict-transport-security`.
    ///
    /// All content comes from this server, except raster tiles of a host that the operator chose by an option. An image from any other host would reveal to that host who views whom. The WebSocket is allowed by
    /// scheme, because not every browser accepts `'self'` for it.
    ///
    /// `tiles` is the source of the raster tiles; nil when there are none.
    static func headers(isTLS: Bool, tiles: String?) -> [(name: String, value: String)] {
        let pictures = ["'self'", "data:", tiles].compactMap(\.self).joined(separator: " ")
        var headers = [
            (
                "content-security-policy",
                "default-src 'self'; img-src \(pictures); connect-src 'self' ws: wss:; worker-src 'self'; "
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
