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

    /// Whether `password` can be a password.
    static func isPassword(_ password: String) -> Bool {
        (8...256).contains(password.unicodeScalars.count)
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
