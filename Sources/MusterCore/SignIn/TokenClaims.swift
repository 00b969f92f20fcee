/// The claims of a token whose signature was checked, by name.
package struct TokenClaims: Sendable, Equatable {
    private let values: [String: ClaimValue]

    /// Wraps decoded claims.
    package init(_ values: [String: ClaimValue]) { self.values = values }

    /// A claim; nil when it is missing or null.
    package subscript(_ name: String) -> ClaimValue? {
        guard let value = self.values[name], value != .null else { return nil }
        return value
    }

    /// The audience, one or several; nil when it is missing or of another type.
    var audience: [String]? {
        switch self["aud"] {
        case .text(let text): return [text]
        case .list(let list):
            let texts = list.compactMap(\.text)
            return texts.count == list.count ? texts : nil
        case .bool, .number, .object, .null, nil: return nil
        }
    }

    /// The subject, if it has 1 to 255 characters.
    package var subject: String? {
        guard let text = self["sub"]?.text, (1...255).contains(text.utf8.count), !text.utf8.contains(0) else {
            return nil
        }
        return text
    }

    /// The session at the provider, if it is named by a text of at most 255 bytes.
    package var session: String? {
        guard let text = self["sid"]?.text, (1...255).contains(text.utf8.count), !text.utf8.contains(0) else {
            return nil
        }
        return text
    }

    /// The time of issue.
    package var issuedAt: Timestamp? { self["iat"]?.time }
}
