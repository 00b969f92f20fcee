/// A place that somebody keeps for everybody, with a comment, as one person sees it.
package struct Spot: Sendable, Equatable {
    /// What a person thinks of a spot.
    package enum Vote: String, Sendable, Codable, CaseIterable {
        case like
        case dislike
        case none
    }

    /// What a comment must be.
    package static let commentRule = TextRule.lines(1...500)
    /// What a category must be.
    package static let categoryRule = TextRule.line(1...40)

    package var id: SpotID
    package var coordinate: Coordinate
    /// What the author says of it, 1…500 characters, in lines.
    package var comment: String
    /// What kind of place it is, in the author's own word; nil when they chose none.
    package var category: String?
    /// What it looks like; nil when the author shows nothing.
    package var photo: Photo?
    package var author: UserProfile
    /// How many people like it.
    package var likes: Int
    /// How many people dislike it.
    package var dislikes: Int
    /// What the one who looks thinks of it.
    package var vote: Vote
    /// When it was added.
    package var at: Timestamp

    /// Creates a spot; by default nobody has voted yet.
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
        at: Timestamp
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
    }

    /// What the place is called: see `PlaceName`.
    package var name: String { PlaceName.of(comment: self.comment) }

    /// The spot as far as it names a place.
    package var place: NamedPlace { NamedPlace(spot: self.id, coordinate: self.coordinate, name: self.name) }
}
