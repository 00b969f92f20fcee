/// Says which web pages may open a WebSocket.
struct OriginPolicy {
    /// Origins allowed besides the request's own host.
    let allowed: Set<String>

    /// Whether a page of `origin` may connect to `host`, as both stand in the request's headers.
    func allows(origin: String, host: String?) -> Bool {
        let origin = origin.lowercased()
        if self.allowed.contains(where: { $0.lowercased() == origin }) { return true }
        guard let host = host?.lowercased(), let separator = origin.firstRange(of: "://") else { return false }
        let scheme = origin[..<separator.lowerBound]
        let authority = String(origin[separator.upperBound...])
        switch scheme {
        case "http": return Self.strip(authority, ":80") == Self.strip(host, ":80")
        case "https": return Self.strip(authority, ":443") == Self.strip(host, ":443")
        default: return false
        }
    }

    private static func strip(_ authority: String, _ port: String) -> Substring {
        authority.hasSuffix(port) ? authority.dropLast(port.count) : authority[...]
    }
}
