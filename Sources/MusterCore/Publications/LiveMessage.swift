/// What people are told now or never: who is away meanwhile reads how things stand when they come back.
///
/// The server encodes it once, however many sessions it is for. Watch sessions are told none of it.
package enum LiveMessage: Sendable, Equatable, Codable {
    /// What a group is called, and what its owner chose.
    case group(GroupID, name: String, settings: GroupSettings)
    /// What one lets a group see; for oneself alone.
    case sharing(GroupID, SharingTerms)
    /// Notifications need not be shown any more.
    case seen([Int64])
    /// There is a new spot; the frame is encoded already, because what a spot is does not concern the world.
    case newSpot(SpotID, frame: [UInt8])
    /// What people think of a spot has changed.
    case spotChanged(SpotVotes)
    /// A spot was deleted.
    case spotGone(SpotID)
    /// Members of a group say something else to a plan; an older count is not told after a newer one.
    case planChanged(PlanChange)
    /// A frame that a feature outside the world encoded, whole.
    case frame([UInt8])
}
