/// The vote counts of a spot.
package struct SpotVotes: Sendable, Equatable, Encodable {
    package var spot: SpotID
    package var likes: Int
    package var dislikes: Int

    /// Creates counts.
    package init(spot: SpotID, likes: Int, dislikes: Int) {
        self.spot = spot
        self.likes = likes
        self.dislikes = dislikes
    }
}
