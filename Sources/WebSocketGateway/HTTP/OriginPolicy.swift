package import EventLoop

/// The origins of web pages that may use the server from a browser: open a WebSocket, and read HTTP responses.
package struct OriginPolicy: Sendable {
    private let named: Set<String>

    /// Creates a policy that allows the origins `named`, such as `https://app.example`.
    ///
    /// Case does not matter.
    package init(named: Set<String>) { self.named = Set(named.map { $0.lowercased() }) }

    /// Returns whether `origin` is one of the named origins.
    package func names(_ origin: String) -> Bool { self.named.contains(origin.lowercased()) }

    /// Returns the CORS headers that let a page of `origin` read a response (Fetch Standard, "CORS protocol").
    ///
    /// Empty when the origin is not named. Pages of the server's own host need no headers.
    package func headers(for origin: String?) -> [(name: String, value: String)] {
        guard let origin, self.names(origin) else { return [] }
        return [
            ("access-control-allow-origin", origin), ("access-control-expose-headers", "retry-after"),
            ("vary", "origin"),
        ]
    }

    /// Returns whether a page of `origin` may connect to `host`, both as in the request's headers.
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

    /// Returns the log event about a refused page.
    package static func refusal(of origin: String, host: String?) -> LogEvent {
        LogEvent(
            .warning,
            "a web page was refused: its origin is neither this server's nor an allowed one",
            [
                ("http.origin", String(origin.prefix(200))), ("http.host", String((host ?? "").prefix(200))),
                ("hint", "set --public-url to this server's own address, or --allow-origin for another origin"),
            ]
        )
    }

    private static func strip(_ authority: String, _ port: String) -> Substring {
        authority.hasSuffix(port) ? authority.dropLast(port.count) : authority[...]
    }
}
