package import EventLoop

/// Says which web pages may use the server from a browser: open a WebSocket, and read answers to HTTP requests.
package struct OriginPolicy: Sendable {
    private let named: Set<String>

    /// Allows pages of the origins `named`, such as `https://app.example`; upper and lower case are the same.
    package init(named: Set<String>) { self.named = Set(named.map { $0.lowercased() }) }

    /// Whether `origin` is one of those named.
    package func names(_ origin: String) -> Bool { self.named.contains(origin.lowercased()) }

    /// The headers by which a page of `origin` may read an answer (Fetch Standard, "CORS protocol").
    ///
    /// Empty when the origin is not named: pages of the server's own host need none.
    package func headers(for origin: String?) -> [(name: String, value: String)] {
        guard let origin, self.names(origin) else { return [] }
        return [
            ("access-control-allow-origin", origin), ("access-control-expose-headers", "retry-after"),
            ("vary", "origin"),
        ]
    }

    /// Whether a page of `origin` may connect to `host`, as both stand in the request's headers.
    package func allows(origin: String, host: String?) -> Bool {
        if self.names(origin) { return true }
        let origin = origin.lowercased()
        guard let host = host?.lowercased(), let separator = origin.firstRange(of: "://") else { return false }
        let scheme = origin[..<separator.lowerBound]
        let authority = String(origin[separator.upperBound...])
        switch scheme {
        case "http": return Self.strip(authority, ":80") == Self.strip(host, ":80")
        case "https": return Self.strip(authority, ":443") == Self.strip(host, ":443")
        default: return false
        }
    }

    /// The line of the log about a page that was refused.
    package static func refusal(of origin: String, host: String?) -> LogEvent {
        LogEvent(
            .warning,
            "a web page was refused, for its origin is neither this server's nor one that is allowed",
            [
                ("http.origin", String(origin.prefix(200))), ("http.host", String((host ?? "").prefix(200))),
                ("hint", "--public-url names this server's own address, --allow-origin others"),
            ]
        )
    }

    private static func strip(_ authority: String, _ port: String) -> Substring {
        authority.hasSuffix(port) ? authority.dropLast(port.count) : authority[...]
    }
}
