/// What happens to spots, as the world is told it.
package enum SpotInput: Sendable, Codable {
    /// There are spots by which gatherings that begin or move from now on are called.
    case added([NamedPlace])
    /// Spots were deleted: what is called by them stays so, and nothing else will be.
    case deleted([SpotID])
    /// A session wants to be told of new spots.
    case watched(SessionID, SpotWatch)
    /// A session gets spots in an answer: it is told what becomes of them.
    case sent(SessionID, [SpotID])
    /// Somebody thinks otherwise of a spot; their session, when they have one, gets it in an answer.
    case voted(SpotID, by: SessionID?)
    /// The directory read spots because the world asked for them, the newest first.
    case read(SpotReading, [SpotNews])
    /// The directory could not read spots.
    case notRead(SpotReading)
    /// The directory counted the votes on spots; those that it does not name are gone.
    case votesCounted([SpotID], [SpotVotes])
    /// The directory could not count votes.
    case votesNotCounted([SpotID])
    /// The directory read what spots say; those that it does not name are gone.
    case textsRead([SpotID], [SpotText])
    /// The directory could not read what spots say.
    case textsNotRead([SpotID])
}
