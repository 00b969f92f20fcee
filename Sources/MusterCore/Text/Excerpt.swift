/// The beginning of a text, where there is no room for all of it.
package enum Excerpt {
    /// The first characters (Unicode scalars) of a text, at most `longest`, and never half of what is seen as one.
    package static func of(_ text: some StringProtocol, longest: Int) -> String {
        // A cheap look first: nearly every text is short.
        guard text.utf8.count > longest else { return String(text) }
        var excerpt = ""
        var scalars = 0
        for character in text {
            scalars += character.unicodeScalars.count
            guard scalars <= longest else { break }
            excerpt.append(character)
        }
        // One cluster may be longer than all the room: then a part of it must do.
        guard excerpt.isEmpty else { return excerpt }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
    }

    /// The same with an ellipsis, which counts, where something is left out.
    package static func withEllipsis(_ text: String, longest: Int) -> String {
        guard text.unicodeScalars.count > longest else { return text }
        return Self.of(text, longest: longest - 1) + "…"
    }
}
