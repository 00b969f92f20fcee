/// What a watch shows of a spot, beside where it is.
package struct SpotText: Sendable, Equatable, Codable {
    /// The most characters of a comment.
    private static let longestComment = 80

    package var spot: SpotID
    /// The first characters of the comment.
    package var comment: String
    /// How many people like it.
    package var likes: Int
    /// How many people dislike it.
    package var dislikes: Int

    /// Describes a spot; of the comment the beginning is kept.
    package init(spot: SpotID, comment: String, likes: Int, dislikes: Int) {
        self.spot = spot
        self.comment = Excerpt.of(comment, longest: Self.longestComment)
        self.likes = likes
        self.dislikes = dislikes
    }
}
