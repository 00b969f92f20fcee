/// What a place is called where there is room for a name only.
package enum PlaceName {
    /// The most characters (Unicode scalars) of a name, as of a person's or a group's.
    package static let longest = 80

    /// The first line of a spot's comment, at most `longest` characters of it, and never half of what is seen as one.
    package static func of(comment: String) -> String {
        let line = comment.prefix { !$0.isNewline }
        var name = line[...]
        // A cheap look first: nearly every name is short.
        if name.utf8.count > Self.longest {
            while name.unicodeScalars.count > Self.longest { name.removeLast() }
            // One cluster may be longer than a name: then a part of it must do.
            if name.isEmpty { return String(String.UnicodeScalarView(line.unicodeScalars.prefix(Self.longest))) }
        }
        while name.last?.isWhitespace == true { name.removeLast() }
        return String(name)
    }
}
