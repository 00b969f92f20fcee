import MusterCore
import MusterWire

/// Throws `badRequest` for `field` unless `condition` holds.
func require(_ condition: Bool, _ field: String, _ message: String) throws {
    guard condition else { throw FrameError(.badRequest, message: "\(field) \(message).", field: field) }
}

/// Validation rules for texts from users.
enum Validation {
    /// Whether `name` is a valid username.
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

    /// The username that the user most likely means: phone keyboards capitalise the first letter and append a space.
    static func typedUsername(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last]).lowercased()
    }

    /// Requires a valid username for a new account; the message suggests the valid form, if there is one.
    ///
    /// - Throws: `badRequest` when it is not valid.
    static func username(_ name: String) throws {
        let meant = self.typedUsername(name)
        let proposal = meant != name && self.isUsername(meant) ? "; \(meant) would do" : ""
        try require(self.isUsername(name), "username", "must be 3 to 32 of a-z 0-9 _ . -\(proposal)")
    }

    /// Returns a text without surrounding white space.
    ///
    /// - Throws: `badRequest` when it violates the rule.
    static func text(_ text: String, _ rule: TextRule, field: String) throws -> String {
        do throws(TextRule.Violation) {
            return try rule.cleaned(text)
        } catch {
            throw FrameError(.badRequest, message: "\(field) \(error).", field: field)
        }
    }
}

extension Validation {
    /// Requires valid coordinates.
    ///
    /// - Throws: `badRequest` when they are not valid.
    static func point(_ point: Coordinate) throws {
        try require(Coordinate.latitudes.contains(point.latitude), "lat", "must be -90 to 90")
        try require(Coordinate.longitudes.contains(point.longitude), "lon", "must be -180 to 180")
    }

    /// Requires a valid web address.
    ///
    /// - Throws: `badRequest` when it violates the rule.
    static func link(_ link: String, field: String) throws {
        do throws(WebLink.Violation) {
            _ = try WebLink(link)
        } catch {
            throw FrameError(.badRequest, message: "\(field) \(error).", field: field)
        }
    }
}
