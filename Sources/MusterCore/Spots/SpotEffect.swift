/// A query of the world to storage about spots.
package enum SpotEffect: Sendable, Codable {
    /// A query for the spots that a session missed; answered by `SpotInput.read` or `notRead`.
    case read(SpotReading)
    /// A query for the current vote counts; answered by `SpotInput.votesCounted` or `votesNotCounted`.
    case countVotes([SpotID])
    /// A query for the texts of spots, for wearables; answered by `SpotInput.textsRead` or `textsNotRead`.
    case readTexts([SpotID])
}
