package import MusterCore

/// A gathering in the history of a group.
package struct PastGathering: Sendable, Equatable {
    /// The id; rises with time.
    package var id: GatheringID
    /// The last published state.
    package var state: GatheringStatus.State
    package var since: Timestamp
    /// The end; nil while the gathering lasts.
    package var endedAt: Timestamp?
    package var place: GatheringPlace
    /// All participants at any time, by name.
    package var participants: [LeftWithoutYou.Companion]
}
