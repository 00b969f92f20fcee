/// A change, answer or request about spots, as input of the world.
package enum SpotInput: Sendable, Codable {
    /// New spots, whose names are used for gatherings that begin or move from now on.
    case added([NamedPlace])
    /// Spots were deleted. Gatherings named after them keep the name; no later gathering gets it.
    case deleted([SpotID])
    /// A session subscribes to new spots.
    case watched(SessionID, SpotWatch)
    /// An answer sends spots to a session, which must get their later changes.
    case sent(SessionID, [SpotID])
    /// A user changed their vote on a spot; their session, if any, gets the result in an answer.
    case voted(SpotID, by: SessionID?)
    /// The directory read spots at the world's request, newest first.
    case read(SpotReading, [SpotNews])
    /// The directory could not read spots.
    case notRead(SpotReading)
    /// The directory counted the votes on spots; the spots missing from the result are deleted.
    case votesCounted([SpotID], [SpotVotes])
    /// The directory could not count votes.
    case votesNotCounted([SpotID])
    /// The directory read the texts of spots; the spots missing from the result are deleted.
    case textsRead([SpotID], [SpotText])
    /// The directory could not read the texts of spots.
    case textsNotRead([SpotID])
}
