/// A message that is sent once and not stored: an offline user reads the current state on return.
///
/// The server encodes it once for all sessions. Wearable sessions do not receive it.
package enum LiveMessage: Sendable, Equatable {
    /// The name and settings of a group.
    case group(GroupID, name: String, settings: GroupSettings)
    /// The recipient's own sharing setting for a group.
    case sharing(GroupID, SharingTerms)
    /// Notifications that need not be shown any more.
    case seen([Int64])
    /// A new spot. The frame is encoded already, because the world does not use the spot's content.
    case newSpot(SpotID, frame: [UInt8])
    /// The vote counts of a spot changed.
    case spotChanged(SpotVotes)
    /// A spot was deleted.
    case spotGone(SpotID)
    /// The answers of a group to a plan changed. An older count is never sent after a newer one.
    case planChanged(PlanChange)
    /// A complete frame that was encoded by a feature outside the world.
    case frame([UInt8])
}
