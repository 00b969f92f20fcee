import Foundation
import MusterCommands
import WebSocketGateway

// A value that can never match is an error at the start: with it, the server would not do what its operator expects.

extension OptionValues {
    /// The addresses and networks of an option.
    ///
    /// - Throws: when one of them is invalid.
    func addresses(_ name: String) throws(UsageError) -> AddressSet {
        var networks: [AddressNetwork] = []
        for text in self.texts(name) {
            do throws(AddressNetwork.Problem) {
                networks.append(try AddressNetwork(text))
            } catch {
                throw UsageError("--\(name): \(error)")
            }
        }
        return AddressSet(networks)
    }

    /// The origins of web pages in an option, in the form that browsers send.
    ///
    /// - Throws: when no browser sends an origin in this form.
    func origins(_ name: String) throws(UsageError) -> Set<String> {
        for text in self.texts(name) {
            guard let reason = Self.complaint(ofOrigin: text) else { continue }
            throw UsageError("--\(name) must be an origin such as https://app.example, not '\(text)': \(reason)")
        }
        return Set(self.texts(name))
    }

    /// The URL of a site, without a trailing slash; nil when it is not given.
    ///
    /// - Throws: when it is not an HTTP URL, or has more components than a path.
    func site(_ name: String) throws(UsageError) -> String? {
        guard let given = self.text(name) else { return nil }
        let text = given.hasSuffix("/") ? String(given.dropLast()) : given
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil,
            (parts.port ?? 1) > 0, (parts.port ?? 1) < 65_536, !text.hasSuffix("/"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw UsageError("--\(name) must be an address such as https://muster.example, not '\(given)'")
        }
        return Self.withoutUsualPort(text, parts)
    }

    /// An existing folder.
    ///
    /// - Throws: when the option names a folder that does not exist.
    func existingFolder(_ name: String) throws(UsageError) -> String {
        let path = self.text(name) ?? ""
        guard !self.isGiven(name) || ResourceFolder.exists(path) else {
            throw UsageError("--\(name): no folder '\(path)'")
        }
        return path
    }

    /// The ports that browsers leave out, by scheme.
    private static let usualPorts = ["http": 80, "https": 443]

    /// The address of a site as browsers send its origin.
    private static func withoutUsualPort(_ text: String, _ parts: URLComponents) -> String {
        guard let scheme = parts.scheme, let port = parts.port, port == self.usualPorts[scheme] else { return text }
        var parts = parts
        parts.port = nil
        return parts.string ?? text
    }

    private static func complaint(ofOrigin text: String) -> String? {
        if text == "*" { return "list each origin separately" }
        if text == "null" { return "null is not a specific origin" }
        guard let separator = text.firstRange(of: "://"), separator.lowerBound != text.startIndex else {
            return "it must begin with a scheme and ://"
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        let authority = text[separator.upperBound...]
        if authority.contains(where: { "/?#".contains($0) }) { return "it must not end in a slash or path" }
        if authority.contains("@") { return "it must not contain a user name" }
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !host.contains("*")
        else { return "it must contain one host, in ASCII" }
        if authority.hasSuffix(":") { return "it must not end in a colon" }
        if let port = parts.port, !(1...65_535).contains(port) { return "its port must be 1 to 65535" }
        if let usual = Self.usualPorts[scheme], parts.port == usual { return "browsers leave out :\(usual)" }
        return nil
    }
}
