import MusterCore

/// A gathering in the history of a group.
struct PastGathering: Sendable, Equatable {
    /// The id; rises with time.
    var id: GatheringID
    /// The last published state.
    var state: GatheringStatus.State
    var since: Timestamp
    /// The end; nil while the gathering lasts.
    var endedAt: Timestamp?
    var place: GatheringPlace
    /// All participants at any time, by name.
    var participants: [LeftWithoutYou.Companion]
}
