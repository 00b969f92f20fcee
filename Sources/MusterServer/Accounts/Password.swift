import Foundation

/// A password that a user typed.
///
/// Some keyboards produce ü as one character, others as two, and one user may have both kinds of keyboard.
struct Password: Sendable {
    /// The form for storage and comparison: RFC 8265 OpaqueString, which is NFC with every space replaced by the ASCII
    /// space.
    let prepared: String
    /// The typed text.
    let typed: String

    /// Prepares a typed password.
    init(_ typed: String) {
        self.typed = typed
        let scalars = typed.unicodeScalars.map { $0.properties.generalCategory == .spaceSeparator ? " " : $0 }
        self.prepared = String(String.UnicodeScalarView(scalars)).precomposedStringWithCanonicalMapping
    }

    /// Whether the typed text differs from the stored form in its bytes. (String equality ignores normalisation.)
    var isTypedOtherwise: Bool { !self.typed.utf8.elementsEqual(self.prepared.utf8) }

    /// Whether the prepared form has a valid length.
    var isPossible: Bool { Self.isLengthPossible(of: self.prepared) }

    /// Whether the typed form has a valid length, for accounts whose password was stored as typed.
    var isPossibleAsTyped: Bool { Self.isLengthPossible(of: self.typed) }

    private static func isLengthPossible(of text: String) -> Bool { (8...256).contains(text.unicodeScalars.count) }
}
