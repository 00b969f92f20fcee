// A browser reads `\` as `/`, drops tabs and line feeds, and decodes `%` in a host: what it would read otherwise than we do
// is refused, so that the host that people see is the one that they reach.

/// A web address that a person names and others follow: `http` or `https`, a host, and nobody's name or password.
///
/// It is shown and never fetched.
package struct WebLink: Sendable, Hashable {
    /// How many characters (Unicode scalars) it may have.
    package static let length = 1...2_048

    /// Why an address is refused.
    package enum Violation: Error, Sendable, Equatable {
        /// It has too few or too many characters.
        case length
        /// It holds a character that controls, or cannot be seen.
        case hiddenCharacter
        /// It begins with neither `http://` nor `https://`.
        case scheme
        /// It names a user.
        case userInformation
        /// It has no host, or one that cannot be.
        case host
    }

    /// The address as the person wrote it.
    package let text: String

    /// Takes an address.
    ///
    /// - Throws: why it is refused.
    package init(_ text: String) throws(Violation) {
        let scalars = text.unicodeScalars
        guard Self.length.contains(scalars.count) else { throw .length }
        let isPlain = scalars.allSatisfy { $0 == " " || $0.isVisible || $0.properties.isVariationSelector }
        guard isPlain else { throw .hiddenCharacter }
        guard let separator = text.range(ofFirst: "://"),
            ["http", "https"].contains(text[..<separator.lowerBound].lowercased())
        else { throw .scheme }
        let authority = scalars[separator.upperBound...].prefix { !["/", "?", "#"].contains($0) }
        guard !authority.contains("@") else { throw .userInformation }
        guard Self.isHost(authority) else { throw .host }
        self.text = text
    }

    /// Whether it is a host, with a port or without.
    private static func isHost(_ authority: Substring.UnicodeScalarView) -> Bool {
        var host = authority
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return false }
            let address = host[..<end].dropFirst()
            guard address.contains(":"),
                address.allSatisfy({ $0.properties.isASCIIHexDigit || $0 == ":" || $0 == "." })
            else { return false }
            return Self.isPort(host[host.index(after: end)...])
        }
        if let colon = host.firstIndex(of: ":") {
            guard Self.isPort(host[colon...]) else { return false }
            host = host[..<colon]
        }
        let isOrdinary = host.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": true
            case _: !scalar.isASCII && !scalar.properties.isWhitespace
            }
        }
        return isOrdinary && host.contains { $0 != "." && $0 != "-" && $0 != "_" }
    }

    /// Whether it is nothing, or a colon and a port.
    private static func isPort(_ text: Substring.UnicodeScalarView) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.first == ":" else { return false }
        let digits = text.dropFirst()
        return digits.allSatisfy { ("0"..."9").contains($0) } && (digits.isEmpty || UInt16(String(digits)) != nil)
    }
}

extension WebLink.Violation: CustomStringConvertible {
    /// What the address must be, to stand behind the name of its field.
    package var description: String {
        switch self {
        case .length: "must be a string of \(WebLink.length) characters"
        case .hiddenCharacter: "must not contain characters that control or cannot be seen"
        case .scheme: "must begin with http:// or https://"
        case .userInformation: "must not name a user"
        case .host: "must have a host"
        }
    }
}

extension String {
    /// Where a text stands first in this one.
    fileprivate func range(ofFirst text: String) -> Range<String.Index>? {
        let (own, wanted) = (self.unicodeScalars, text.unicodeScalars)
        var start = own.startIndex
        while start < own.endIndex {
            if let end = own.index(start, offsetBy: wanted.count, limitedBy: own.endIndex),
                own[start..<end].elementsEqual(wanted)
            {
                return start..<end
            }
            start = own.index(after: start)
        }
        return nil
    }
}
