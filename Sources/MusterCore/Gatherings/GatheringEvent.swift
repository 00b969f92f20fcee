/// A decision of a gathering machine.
package enum GatheringEvent: Sendable, Equatable {
    /// A gathering began; its status says `together`.
    case began(GatheringStatus, at: Timestamp)
    /// The members together or absent changed, or the gathering moved.
    case changed(GatheringStatus, at: Timestamp)
    /// The gathering is over; its status says `ended`.
    case ended(GatheringStatus, at: Timestamp)
    /// An alert to a member.
    case alert(GatheringAlert)
    /// The machine's state should be stored. This is the last event of an evaluation, and occurs at most once.
    ///
    /// It belongs in the same transaction as the events before it.
    case stateChanged
}

/// The "left without you" alert as the gathering machine creates it; the world adds names.
package struct GatheringAlert: Sendable, Equatable {
    /// The member to alert.
    package var user: UserID
    /// The rule that applied.
    package var variant: LeftWithoutYou.Variant
    /// The gathering.
    package var gathering: GatheringID
    /// The time of the decision.
    package var at: Timestamp
    /// The moment since which the others are together.
    package var since: Timestamp
    /// The place of the others.
    package var place: GatheringPlace
    /// The others, sorted by id.
    package var together: [UserID]
    /// The distance in metres from `you` to `place`.
    package var distance: Double
    /// The last position of the alerted member.
    var you: LeftWithoutYou.OwnPosition
}
