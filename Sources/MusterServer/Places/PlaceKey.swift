import Foundation
import MusterCore

// The same rule converts names and queries to keys. It is not SQL, because under the locale C PostgreSQL only
// recognises ASCII letters, and pg_trgm drops all others: Cyrillic names would have no trigrams.
//
// ASCII text needs no transform. Other texts are passed to ICU many at a time, one per line. One ICU call costs five
// times as much as transforming one name.

/// The searchable form of a name: lower-case letters a to z, digits, and single spaces.
package enum PlaceKey {
    /// The version of the rule for keys and for which names have one.
    ///
    /// After a change, gazetteers of another version must be imported again.
    package static let version: Int32 = 3

    private static let transform = StringTransform("Any-Latin; Latin-ASCII; Lower")
    private static let umlauts: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue",
    ]

    /// The key of a text; empty when the text has no letter and no digit.
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

    /// The keys of a query's parts between commas, without empty ones.
    ///
    /// Full stops at the end of a word are kept, because they mark abbreviations.
    package static func parts(_ query: String) -> [String] {
        let parts = query.split { ",;，、،؛".contains($0) || $0.isNewline }
        return self.keys(parts.map(String.init), keepsStops: true).filter { !$0.isEmpty }
    }

    /// A name with its umlauts replaced by two letters, as users without a German keyboard type them; nil when it has
    /// none.
    static func writtenOut(_ name: String) -> String? {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let composed = name.precomposedStringWithCanonicalMapping
        guard composed.contains(where: { Self.umlauts[$0] != nil }) else { return nil }
        return composed.reduce(into: "") { $0 += Self.umlauts[$1] ?? String($1) }
    }

    /// A text in composed form on one line, for the transform.
    ///
    /// Typographic apostrophes become ASCII, ordinal signs become letters, and invisible characters such as soft
    /// hyphens are removed.
    private static func line(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        let composed = String(String.UnicodeScalarView(visible)).precomposedStringWithCanonicalMapping
            .replacing("’", with: "'").replacing("º", with: "o").replacing("ª", with: "a")
        return composed.contains(where: \.isNewline)
            ? composed.split(whereSeparator: \.isNewline).joined(separator: " ") : composed
    }
}
