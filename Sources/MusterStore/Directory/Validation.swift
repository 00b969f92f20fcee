import MusterCore

/// Throws `badRequest` for `field` unless `condition` holds.
func require(_ condition: Bool, _ field: String, _ message: String) throws(DirectoryError) {
    guard condition else { throw DirectoryError(.badRequest(field: field), "\(field) \(message)") }
}

/// The rules for what people type.
enum Validation {
    /// Whether `name` can be the name of an account.
    static func isUsername(_ name: String) -> Bool {
        (3...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// The name that somebody means who logs in: keyboards begin with an upper-case letter and end with a blank.
    static func typedUsername(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last]).lowercased()
    }

    /// Requires that `name` can be the name of a new account; the message proposes what it could be meant as.
    ///
    /// - Throws: `badRequest` when it cannot.
    static func username(_ name: String) throws(DirectoryError) {
        let meant = self.typedUsername(name)
        let proposal = meant != name && self.isUsername(meant) ? "; \(meant) would do" : ""
        try require(self.isUsername(name), "username", "must be 3 to 32 of a-z 0-9 _ . -\(proposal)")
    }

    /// A text that people type, without white space around it.
    ///
    /// - Throws: `badRequest` when it is against the rule.
    static func text(_ text: String, _ rule: TextRule, field: String) throws(DirectoryError) -> String {
        do throws(TextRule.Violation) {
            return try rule.cleaned(text)
        } catch {
            throw DirectoryError(.badRequest(field: field), "\(field) \(error)")
        }
    }
}

extension Validation {
    /// Requires that a point is on the earth.
    ///
    /// - Throws: `badRequest` when it is not.
    static func point(_ point: Coordinate) throws(DirectoryError) {
        try require(Coordinate.latitudes.contains(point.latitude), "lat", "must be -90 to 90")
        try require(Coordinate.longitudes.contains(point.longitude), "lon", "must be -180 to 180")
    }

    /// Checks a web address that a person names.
    ///
    /// - Throws: `badRequest` when it is against the rule.
    static func link(_ link: String, field: String) throws(DirectoryError) {
        do throws(WebLink.Violation) {
            _ = try WebLink(link)
        } catch {
            throw DirectoryError(.badRequest(field: field), "\(field) \(error)")
        }
    }
}
