/// A host and a port, as `HOST:PORT` or `[IPv6]:PORT`.
struct Endpoint: Equatable {
    /// The host without brackets.
    let host: String
    /// The port; 0 for any that is free.
    let port: UInt16

    /// Names a port of a host.
    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads the text of an option.
    init(_ text: String, option: String) throws(UsageError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw UsageError("--\(option) takes HOST:PORT, not '\(text)'")
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw UsageError("--\(option) takes HOST:PORT, not '\(text)'") }
        self.host = host == "localhost" ? "127.0.0.1" : String(host)
        self.port = port
    }
}
