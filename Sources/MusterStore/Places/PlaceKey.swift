import Foundation
import MusterCore

// Names and queries become keys by one rule, here. It is no SQL, because under the locale C PostgreSQL knows no letters but
// ASCII's, and pg_trgm drops the others: names in Cyrillic would have no trigrams.
//
// What is ASCII already needs no transform. The rest goes through ICU many names at a time, a line each, because one call costs
// five times as much as what it does to a name.

/// The form of a name by which it is found: small letters a to z, digits, and single spaces.
package enum PlaceKey {
    /// Rises with every change to what a key is, and to which names get one; gazetteers of another version must be imported
    /// again.
    package static let version: Int32 = 3

    private static let transform = StringTransform("Any-Latin; Latin-ASCII; Lower")
    private static let umlauts: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue",
    ]

    /// The key of a text; empty when it holds no letter and no digit.
    package static func key(_ text: String) -> String { self.keys([text])[0] }

    /// The keys of many texts.
    package static func keys(_ texts: [String]) -> [String] { self.keys(texts, keepsStops: false) }

    private static func keys(_ texts: [String], keepsStops: Bool) -> [String] {
        var keys = texts.map { text in
            text.utf8.allSatisfy { $0 < 0x80 } ? PlaceWords.key(ascii: text.utf8, keepsStops: keepsStops) : ""
        }
        let foreign = texts.indices.filter { !texts[$0].utf8.allSatisfy { $0 < 0x80 } }
        guard !foreign.isEmpty else { return keys }
        let lines = foreign.map { Self.line(texts[$0]) }
        let whole = lines.joined(separator: "\n").applyingTransform(Self.transform, reverse: false) ?? ""
        let latin = whole.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (place, index) in foreign.enumerated() {
            keys[index] = PlaceWords.key(
                ascii: latin.count == foreign.count ? latin[place] : Substring().utf8,
                keepsStops: keepsStops
            )
        }
        return keys
    }

    /// The keys of the comma parts of a query, none of them empty, in which full stops stay where they end a word: they tell what is
    /// an abbreviation.
    package static func parts(_ query: String) -> [String] {
        let parts = query.split { ",;，、،؛".contains($0) || $0.isNewline }
        return self.keys(parts.map(String.init), keepsStops: true).filter { !$0.isEmpty }
    }

    /// A name with its umlauts written out, as people do who have none; nil when it has none.
    package static func writtenOut(_ name: String) -> String? {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let composed = name.precomposedStringWithCanonicalMapping
        guard composed.contains(where: { Self.umlauts[$0] != nil }) else { return nil }
        return composed.reduce(into: "") { $0 += Self.umlauts[$1] ?? String($1) }
    }

    /// A text that ends no line, in its composed form, with typographic apostrophes as typed ones, ordinal signs as letters, and
    /// without what cannot be seen, such as a soft hyphen in a word.
    private static func line(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        let composed = String(String.UnicodeScalarView(visible)).precomposedStringWithCanonicalMapping
            .replacing("’", with: "'").replacing("º", with: "o").replacing("ª", with: "a")
        return composed.contains(where: \.isNewline)
            ? composed.split(whereSeparator: \.isNewline).joined(separator: " ") : composed
    }
}
