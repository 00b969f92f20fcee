// A browser reads `\` as `/`, drops tabs and line feeds, and decodes `%` in a host. Addresses that a browser would
// parse differently are rejected, so that the displayed host is the one that the browser opens.

/// A web address entered by a user for others to open: `http` or `https`, a host, and no user name or password.
///
/// The server displays it and never fetches it.
package struct WebLink: Sendable, Hashable {
    /// The permitted number of characters (Unicode scalars).
    package static let length = 1...2_048

    /// The reason for rejecting an address.
    package enum Violation: Error, Sendable, Equatable {
        /// The address has too few or too many characters.
        case length
        /// The address contains a control character or an invisible one.
        case hiddenCharacter
        /// The address begins with neither `http://` nor `https://`.
        case scheme
        /// The address contains user information.
        case userInformation
        /// The address has no host, or an invalid one.
        case host
    }

    /// The address as entered.
    package let text: String

    /// Validates an address.
    ///
    /// - Throws: the reason for rejecting it.
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

    /// Whether it is a host, optionally with a port.
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

    /// Whether it is empty, or a colon with an optional port.
    private static func isPort(_ text: Substring.UnicodeScalarView) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.first == ":" else { return false }
        let digits = text.dropFirst()
        return digits.allSatisfy { ("0"..."9").contains($0) } && (digits.isEmpty || UInt16(String(digits)) != nil)
    }
}

extension WebLink.Violation: CustomStringConvertible {
    /// The requirement, as text that follows the name of the field.
    package var description: String {
        switch self {
        case .length: "must be a string of \(WebLink.length) characters"
        case .hiddenCharacter: "must not contain control characters or invisible characters"
        case .scheme: "must begin with http:// or https://"
        case .userInformation: "must not contain a user name or password"
        case .host: "must contain a host"
        }
    }
}

extension String {
    /// The range of the first occurrence of a text in this one.
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
