/// What a place is called where there is room for a name only.
package enum PlaceName {
    /// The most characters (Unicode scalars) of a name, as of a person's or a group's.
    package static let longest = 80

    /// The first line of a spot's comment, at most `longest` characters of it, and never half of what is seen as one.
    package static func of(comment: String) -> String {
        var name = Excerpt.of(comment.prefix { !$0.isNewline }, longest: Self.longest)
        while name.last?.isWhitespace == true { name.removeLast() }
        return name
    }
}
