package import MusterCore

/// A gathering of a group as its members may read it later.
package struct PastGathering: Sendable, Equatable {
    /// Which one; rises with time.
    package var id: GatheringID
    /// What the group was last told.
    package var state: GatheringStatus.State
    package var since: Timestamp
    /// When it ended; nil while it lasts.
    package var endedAt: Timestamp?
    package var place: GatheringPlace
    /// Everybody who was there at any time of it, by name.
    package var participants: [LeftWithoutYou.Companion]
}
