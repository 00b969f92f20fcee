/// The beginning of a text that is too long.
package enum Excerpt {
    /// The first characters (Unicode scalars) of a text, at most `longest`, cut between grapheme clusters.
    package static func of(_ text: some StringProtocol, longest: Int) -> String {
        // Fast path: nearly every text is short.
        guard text.utf8.count > longest else { return String(text) }
        var excerpt = ""
        var scalars = 0
        for character in text {
            scalars += character.unicodeScalars.count
            guard scalars <= longest else { break }
            excerpt.append(character)
        }
        // If the first cluster alone is too long, a part of it is used.
        guard excerpt.isEmpty else { return excerpt }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
    }

    /// The excerpt, ending in an ellipsis if the text is too long; the ellipsis counts.
    static func withEllipsis(_ text: String, longest: Int) -> String {
        guard text.unicodeScalars.count > longest else { return text }
        return Self.of(text, longest: longest - 1) + "…"
    }
}
