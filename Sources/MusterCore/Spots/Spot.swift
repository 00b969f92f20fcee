/// A public place with a comment, as one user sees it.
package struct Spot: Sendable, Equatable {
    /// The vote of a user on a spot.
    package enum Vote: String, Sendable, CaseIterable, Encodable {
        case like
        case dislike
        case none
    }

    /// The rule for comments.
    package static let commentRule = TextRule.lines(1...500)
    /// The rule for categories.
    package static let categoryRule = TextRule.line(1...40)

    package var id: SpotID
    package var coordinate: Coordinate
    /// The author's comment, 1…500 characters, may have several lines.
    package var comment: String
    /// The kind of place in the author's own words; nil when there is none.
    package var category: String?
    /// The photo; nil when there is none.
    package var photo: Photo?
    package var author: UserProfile
    /// The number of likes.
    package var likes: Int
    /// The number of dislikes.
    package var dislikes: Int
    /// The viewer's vote.
    package var vote: Vote
    /// The time at which it was added.
    package var at: Timestamp
    /// The revision, which rises with every change except votes.
    package var revision: Int64

    /// Creates a spot; by default without votes.
    package init(
        id: SpotID,
        coordinate: Coordinate,
        comment: String,
        category: String? = nil,
        photo: Photo? = nil,
        author: UserProfile,
        likes: Int = 0,
        dislikes: Int = 0,
        vote: Vote = .none,
        at: Timestamp,
        revision: Int64 = 1
    ) {
        self.id = id
        self.coordinate = coordinate
        self.comment = comment
        self.category = category
        self.photo = photo
        self.author = author
        self.likes = likes
        self.dislikes = dislikes
        self.vote = vote
        self.at = at
        self.revision = revision
    }

    /// The name of the place: see `PlaceName`.
    package var name: String { PlaceName.of(comment: self.comment) }

    /// The position and name.
    package var place: NamedPlace { NamedPlace(spot: self.id, coordinate: self.coordinate, name: self.name) }
}
