/// The text and votes of a spot in a glance.
package struct SpotText: Sendable, Equatable {
    /// The maximum number of characters of a comment.
    private static let longestComment = 80

    package var spot: SpotID
    /// The beginning of the comment.
    package var comment: String
    /// The number of likes.
    package var likes: Int
    /// The number of dislikes.
    package var dislikes: Int

    /// Creates a text; the comment is shortened.
    package init(spot: SpotID, comment: String, likes: Int, dislikes: Int) {
        self.spot = spot
        self.comment = Excerpt.of(comment, longest: Self.longestComment)
        self.likes = likes
        self.dislikes = dislikes
    }
}
