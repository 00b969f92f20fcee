/// A URL that a client of this server gave, for requests by `StrangerClient` only.
package struct StrangerURL: Sendable, Hashable {
    /// The reason why a text is not a valid URL for requests.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        /// The problem, as a message for people.
        package let description: String
    }

    /// The maximum number of bytes.
    package static let longest = 2048

    /// The whole address, which is a secret of the client.
    package let text: String
    /// The scheme, the host and the port, as the audience of a signature names them (RFC 8292, 2).
    package let origin: String
    /// The host, for people.
    package let host: String
    let authority: String
    let isEncrypted: Bool

    /// Parses a URL of a client: https, a host, an optional port that is 443 or at least 1024, and a path.
    ///
    /// Whether an address is admitted is decided when a connection is opened. Literal addresses are decided here too.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - allowance: the addresses that the operator allows; `http` is possible only there.
    /// - Throws: the problem with the text.
    package init(_ text: String, allowance: OutboundAllowance = .nothing) throws(Problem) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x5c }) else {
            throw Problem(
                description: "must contain at most \(Self.longest) ASCII characters, no spaces or backslashes"
            )
        }
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            throw Problem(description: "must begin with https://")
        }
        guard !text.contains("#") else { throw Problem(description: "must have no fragment") }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }.lowercased()
        guard !authority.contains("@") else { throw Problem(description: "must have no user and no password") }
        guard let (host, port) = Self.parts(of: authority) else { throw Problem(description: "must name a host") }
        self.isEncrypted = scheme == "https://"
        guard self.isEncrypted || !allowance.isEmpty else { throw Problem(description: "must begin with https://") }
        var isAllowedLiteral = false
        if let address = Self.literal(host) {
            let admission = AddressAdmission(allowance: allowance, isEncrypted: self.isEncrypted)
            guard admission.admits(address) else { throw Problem(description: "must have a public address") }
            isAllowedLiteral = admission.isAllowed(address)
        } else if host.split(separator: ".").last.map({ Self.isNumber($0) }) != false {
            // Other spellings of numbers, such as `2130706433` and `0x7f.1`, which resolvers accept as addresses.
            throw Problem(description: "must name a host, or an address in its usual spelling")
        }
        // Without encryption, only allowed addresses are connected to, where every port is possible.
        guard !self.isEncrypted || isAllowedLiteral || port == nil || port == 443 || port.map({ $0 >= 1024 }) == true
        else { throw Problem(description: "must have port 443 or a port from 1024") }
        self.text = text
        self.host = host
        self.authority = authority
        let usual: UInt16 = self.isEncrypted ? 443 : 80
        self.origin = scheme + host + (port.map { $0 == usual ? "" : ":\($0)" } ?? "")
    }

    private static func parts(of authority: String) -> (host: String, port: UInt16?)? {
        let isBracketed = authority.first == "["
        let end =
            isBracketed
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
        let host = authority[..<(end ?? authority.endIndex)]
        let rest = authority[(end ?? authority.endIndex)...]
        let isName =
            !host.isEmpty && host.utf8.count <= 253 + 2
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"): isBracketed
                default: false
                }
            }
        guard isName, host.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else { return nil }
        guard !isBracketed || self.literal(String(host)) != nil else { return nil }
        if rest.isEmpty { return (String(host), nil) }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0, rest.dropFirst().first != "+" else {
            return nil
        }
        return (String(host), port)
    }

    private static func isNumber(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { (0x30...0x39).contains($0) } || label.hasPrefix("0x")
    }

    /// The bytes of a literal address; nil when the host is a name.
    private static func literal(_ host: String) -> [UInt8]? {
        if host.first == "[" {
            return AddressBytes.parse(String(host.dropFirst().dropLast()), isV6: true)
        }
        return AddressBytes.parse(host, isV6: false)
    }
}

/// A request to a URL of a client, with all of its limits.
package struct StrangerRequest: Sendable {
    /// The target.
    package var url: StrangerURL
    /// The body of the POST.
    package var body: [UInt8]
    /// The headers.
    package var headers: [(name: String, value: String)]
    /// The timeout of the request in milliseconds, without the time in the queue.
    package var timeout: Int64 = 10_000
    /// The deadline including the time in the queue, in milliseconds of the client's clock.
    package var deadline = Int64.max

    /// Creates a POST with the default limits.
    package init(_ url: StrangerURL, body: [UInt8], headers: [(name: String, value: String)]) {
        self.url = url
        self.body = body
        self.headers = headers
    }

    func job(_ allowance: OutboundAllowance) -> OutboundJob {
        OutboundJob(
            address: self.url.text,
            authority: self.url.authority,
            method: .postBytes(self.body),
            headers: self.headers,
            timeout: self.timeout,
            connectTimeout: 5_000,
            deadline: self.deadline,
            bodyLimit: 65_536,
            concurrency: 8,
            admission: AddressAdmission(allowance: allowance, isEncrypted: self.url.isEncrypted)
        )
    }
}
