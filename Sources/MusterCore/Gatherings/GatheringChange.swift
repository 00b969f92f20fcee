/// A change to a group, effective from the moment at which it is applied.
package enum GatheringChange: Sendable, Equatable {
    /// A member joined; a member who does not share `live` takes no part.
    case memberJoined(UserID, isSharingLive: Bool)
    /// A member left the group.
    case memberLeft(UserID)
    /// A member began or ceased to share `live`.
    ///
    /// A member who ceases is forgotten at once, and takes part again with the first observation after they resume.
    case sharingChanged(UserID, isLive: Bool)
    /// The owner changed the settings.
    case settingsChanged(GroupSettings)
}
