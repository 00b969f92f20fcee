/// A change to a group that applies to its gatherings from that moment on.
package enum GatheringChange: Sendable, Equatable {
    /// A member came; one who does not share `live` takes no part.
    case memberJoined(UserID, isSharingLive: Bool)
    /// A member left the group.
    case memberLeft(UserID)
    /// A member began or ceased to share `live`.
    ///
    /// Who ceases is forgotten at once, and takes part again with the first observation after they resume.
    case sharingChanged(UserID, isLive: Bool)
    /// The owner chose other numbers.
    case settingsChanged(GroupSettings)
}
