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
            throw UsageError("--\(name) takes an origin such as https://app.example, not '\(text)': \(reason)")
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
            throw UsageError("--\(name) takes an address such as https://muster.example, not '\(given)'")
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
        if text == "*" { return "each origin is named by itself" }
        if text == "null" { return "any page can be of the origin null" }
        guard let separator = text.firstRange(of: "://"), separator.lowerBound != text.startIndex else {
            return "it begins with a scheme and ://"
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        let authority = text[separator.upperBound...]
        if authority.contains(where: { "/?#".contains($0) }) { return "it has no slash or path at its end" }
        if authority.contains("@") { return "it has no user name" }
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !host.contains("*")
        else { return "it has one host, in ASCII" }
        if authority.hasSuffix(":") { return "it ends in a colon" }
        if let port = parts.port, !(1...65_535).contains(port) { return "it has no port of this number" }
        if let usual = Self.usualPorts[scheme], parts.port == usual { return "browsers leave out :\(usual)" }
        return nil
    }
}
