/// How many people like a spot, and how many do not.
package struct SpotVotes: Sendable, Equatable, Codable {
    package var spot: SpotID
    package var likes: Int
    package var dislikes: Int

    /// Counts votes.
    package init(spot: SpotID, likes: Int, dislikes: Int) {
        self.spot = spot
        self.likes = likes
        self.dislikes = dislikes
    }
}
