/// A URL that the operator configured, or one below it.
///
/// Text of a client cannot become such a URL. It is only used in queries, percent-encoded.
package struct OperatorURL: Sendable, Hashable, CustomStringConvertible {
    /// The reason why a text is not a valid URL for requests.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        /// The problem, as a message for people.
        package let description: String
    }

    /// The whole address.
    package let description: String
    /// The host, and the port if there is one.
    ///
    /// Requests are queued by this value.
    package let authority: String

    /// Parses a URL of the configuration: http or https, a host, an optional port and an optional path, and nothing
    /// else.
    ///
    /// - Throws: the problem with the text.
    package init(configured text: String) throws(Problem) {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            throw Problem(description: "must begin with http:// or https://")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            throw Problem(description: "must contain only ASCII characters, no spaces and no backslashes")
        }
        guard !text.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw Problem(description: "must have no query and no fragment")
        }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
        guard !authority.contains("@") else { throw Problem(description: "must have no user and no password") }
        guard Self.isAuthority(authority) else { throw Problem(description: "must name a host") }
        self.authority = authority.lowercased()
        self.description = text.last == "/" ? String(text.dropLast()) : text
    }

    /// Parses the URL of an endpoint, which is used as it stands: a slash at its end is a part of its path.
    ///
    /// - Throws: the problem with the text.
    package init(endpoint text: String) throws(Problem) {
        let parsed = try OperatorURL(configured: text)
        self.init(text, authority: parsed.authority)
    }

    private init(_ description: String, authority: String) {
        self.description = description
        self.authority = authority
    }

    /// Returns a URL below this one, with path segments and query fields, all of which are percent-encoded.
    package func appending(_ path: String..., query: [(name: String, value: String)] = []) -> OperatorURL {
        let below = path.map { "/" + PercentEncoding.encoded($0) }.joined()
        let suffix = query.isEmpty ? "" : "?" + PercentEncoding.form(query)
        return OperatorURL(self.description + below + suffix, authority: self.authority)
    }

    /// Returns this URL with placeholders replaced by numbers.
    func filling(_ numbers: KeyValuePairs<String, Int>) -> OperatorURL {
        let filled = numbers.reduce(self.description) { $0.replacing($1.key, with: "\($1.value)") }
        return OperatorURL(filled, authority: self.authority)
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        let end = text.first == "[" ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        let host = text[..<(end ?? text.endIndex)]
        let port = text[(end ?? text.endIndex)...]
        guard !host.isEmpty, host != "[]" else { return false }
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"): host.first == "["
            default: false
            }
        }
        guard isName else { return false }
        return port.isEmpty || port.first == ":" && (UInt16(port.dropFirst()) ?? 0) > 0
    }
}
