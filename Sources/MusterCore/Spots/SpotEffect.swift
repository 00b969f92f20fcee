/// What the world asks of storage about spots.
package enum SpotEffect: Sendable, Codable {
    /// Spots are needed that a session missed; answered by `SpotInput.read` or `notRead`.
    case read(SpotReading)
    /// The votes on spots are needed as they stand now; answered by `SpotInput.votesCounted` or `votesNotCounted`.
    case countVotes([SpotID])
    /// What spots say is needed, for watches; answered by `SpotInput.textsRead` or `textsNotRead`.
    case readTexts([SpotID])
}
