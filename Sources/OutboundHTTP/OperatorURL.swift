/// An address that the operator configured, or one below it.
///
/// There is no way from a text of a client to one: clients' texts go into queries alone, percent-encoded.
package struct OperatorURL: Sendable, Hashable, CustomStringConvertible {
    /// Why a text is no address that is called.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        /// What is wrong, for people.
        package let description: String
    }

    /// The whole address.
    package let description: String
    /// The host and, when it is named, the port: by these requests are queued.
    package let authority: String

    /// Reads an address out of the configuration: http or https, a host, perhaps a port and a path, and nothing else.
    ///
    /// - Throws: what is wrong with it.
    package init(configured text: String) throws(Problem) {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            throw Problem(description: "must begin with http:// or https://")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            throw Problem(description: "must be ASCII without spaces and backslashes")
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

    private init(_ description: String, authority: String) {
        self.description = description
        self.authority = authority
    }

    /// An address below this one: segments of a path, and names and values, all of which are percent-encoded.
    package func appending(_ path: String..., query: [(name: String, value: String)] = []) -> OperatorURL {
        let below = path.map { "/" + PercentEncoding.encoded($0) }.joined()
        let suffix = query.isEmpty ? "" : "?" + PercentEncoding.form(query)
        return OperatorURL(self.description + below + suffix, authority: self.authority)
    }

    /// This address with numbers in the place of their names.
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
