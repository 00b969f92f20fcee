/// The short name of a spot.
package enum PlaceName {
    /// The maximum number of characters (Unicode scalars) of a name, like that of a user or a group.
    package static let longest = 80

    /// The first line of a spot's comment, at most `longest` characters, cut between grapheme clusters.
    package static func of(comment: String) -> String {
        var name = Excerpt.of(comment.prefix { !$0.isNewline }, longest: Self.longest)
        while name.last?.isWhitespace == true { name.removeLast() }
        return name
    }
}
