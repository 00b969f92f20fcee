import Foundation

/// A password as somebody typed it.
///
/// Keyboards write ü as one character or as two, and the same person has both kinds of keyboards.
struct Password: Sendable {
    /// What it is stored and compared as: the form of RFC 8265, OpaqueString, with NFC and ASCII's blank for every other one.
    let prepared: String
    /// What was typed.
    let typed: String

    /// Takes what was typed.
    init(_ typed: String) {
        self.typed = typed
        let scalars = typed.unicodeScalars.map { $0.properties.generalCategory == .spaceSeparator ? " " : $0 }
        self.prepared = String(String.UnicodeScalarView(scalars)).precomposedStringWithCanonicalMapping
    }

    /// Whether it was typed otherwise than it is stored. (Strings are equal in any form; their bytes are not.)
    var isTypedOtherwise: Bool { !self.typed.utf8.elementsEqual(self.prepared.utf8) }

    /// Whether it can be an account's.
    var isPossible: Bool { Self.isLengthPossible(of: self.prepared) }

    /// Whether it can be one of an account whose password was stored as it was typed.
    var isPossibleAsTyped: Bool { Self.isLengthPossible(of: self.typed) }

    private static func isLengthPossible(of text: String) -> Bool { (8...256).contains(text.unicodeScalars.count) }
}
