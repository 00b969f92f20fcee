/// Isolates user text within a sentence (Unicode Standard Annex 9).
///
/// A name in a right-to-left script, or with directional marks, would otherwise reorder the words around it.
package enum Isolation {
    /// The text, isolated from its surroundings; unchanged when it cannot affect their direction.
    ///
    /// The result contains no mark that ends its own isolation. Unmatched end marks in the text are removed, and
    /// isolates that begin in it are closed.
    package static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.turnsText) else { return text }
        var isolated = String.UnicodeScalarView([Self.firstStrong])
        var depth = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x2066...0x2068: depth += 1
            case 0x2069 where depth == 0: continue
            case 0x2069: depth -= 1
            case _: break
            }
            isolated.append(scalar)
        }
        isolated.append(contentsOf: repeatElement(Self.end, count: depth + 1))
        return String(isolated)
    }

    /// Begins an isolate whose direction is that of its first strong character.
    private static let firstStrong: Unicode.Scalar = "\u{2068}"
    /// Ends an isolate.
    private static let end: Unicode.Scalar = "\u{2069}"
}

extension Unicode.Scalar {
    /// Whether it may change the direction of the surrounding text: a directional mark, or a character in a block of
    /// right-to-left scripts.
    fileprivate var turnsText: Bool {
        switch self.value {
        case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        case _: false
        }
    }
}
