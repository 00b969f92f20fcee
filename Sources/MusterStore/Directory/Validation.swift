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

    /// The address of a picture: a path of this server.
    ///
    /// From anywhere else friends' browsers would fetch it, and tell that place who looks at whom, and when.
    ///
    /// - Throws: `badRequest` when it is anything else.
    static func pictureAddress(_ address: String, field: String) throws(DirectoryError) {
        try require((1...500).contains(address.unicodeScalars.count), field, "must have 1 to 500 characters")
        // Two slashes, and a backslash as browsers read it, begin the name of another host.
        let isAddress = address.hasPrefix("/") && !address.hasPrefix("//") && !address.utf8.contains(0x5C)
        let isPlain = address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0.isVisible }
        try require(isAddress && isPlain, field, "must be the path of a picture on this server")
    }
}
