import Glibc

/// A host and a port, as `HOST:PORT` or `[IPv6]:PORT`.
package struct Endpoint: Equatable {
    /// The host without brackets.
    package let host: String
    /// The port; 0 for any free one.
    package let port: UInt16

    /// Creates an endpoint.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    private static func isNumeric(_ host: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if found != nil { freeaddrinfo(found) } }
        var four = in_addr()
        // getaddrinfo would also accept short forms such as 127.1.
        return host.contains(":") ? getaddrinfo(host, nil, &hints, &found) == 0 : inet_pton(AF_INET, host, &four) == 1
    }

    /// Parses the value of an option.
    package init(_ text: String, option: String) throws(UsageError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw UsageError("--\(option) must be HOST:PORT, not '\(text)'")
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw UsageError("--\(option) must be HOST:PORT, not '\(text)'") }
        let numeric = host == "localhost" ? "127.0.0.1" : String(host)
        guard Self.isNumeric(numeric) else {
            throw UsageError("--\(option) must have a numeric address such as 127.0.0.1 or [::1], not '\(host)'")
        }
        self.host = numeric
        self.port = port
    }
}
