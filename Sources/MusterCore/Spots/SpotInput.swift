/// A change or request about spots, as input of the world.
package enum SpotInput: Sendable {
    /// New spots, whose names are used for gatherings that begin or move from now on.
    case added([NamedPlace])
    /// Spots were deleted. Gatherings named after them keep the name; no later gathering gets it.
    case deleted([SpotID])
    /// A session subscribes to new spots.
    case subscribed(SessionID, SpotSubscription)
    /// An answer sends spots to a session, which must get their later changes.
    case sent(SessionID, [SpotID])
    /// A user changed their vote on a spot; their session, if any, gets the result in an answer.
    case voted(SpotID, by: SessionID?)
}
