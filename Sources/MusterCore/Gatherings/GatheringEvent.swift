/// What a gathering machine decided.
package enum GatheringEvent: Sendable, Equatable {
    /// A gathering began; its status says `together`.
    case began(GatheringStatus, at: Timestamp)
    /// Who is together or absent changed, or the gathering moved.
    case changed(GatheringStatus, at: Timestamp)
    /// The gathering is over; its status says `ended`.
    case ended(GatheringStatus, at: Timestamp)
    /// One who is not there must be told.
    case alert(GatheringAlert)
    /// The machine's state is worth storing; last among the events of one evaluation, and once at most.
    ///
    /// It belongs into the same transaction as the events before it.
    case stateChanged
}

/// "They left without you", as far as the gathering machine knows: names and numbers are the world's.
package struct GatheringAlert: Sendable, Equatable {
    /// Who must be told.
    package var user: UserID
    /// Which rule spoke.
    package var variant: LeftWithoutYou.Variant
    /// Which gathering it is about.
    package var gathering: GatheringID
    /// When it was decided.
    package var at: Timestamp
    /// Since when the others are together.
    package var since: Timestamp
    /// Where the others are.
    package var place: GatheringPlace
    /// The others, by id.
    package var together: [UserID]
    /// Metres from `you` to `place`.
    package var distance: Double
    /// Where the one to be told was last.
    package var you: LeftWithoutYou.OwnPosition

    /// Creates an alert.
    package init(
        user: UserID,
        variant: LeftWithoutYou.Variant,
        gathering: GatheringID,
        at: Timestamp,
        since: Timestamp,
        place: GatheringPlace,
        together: [UserID],
        distance: Double,
        you: LeftWithoutYou.OwnPosition
    ) {
        self.user = user
        self.variant = variant
        self.gathering = gathering
        self.at = at
        self.since = since
        self.place = place
        self.together = together
        self.distance = distance
        self.you = you
    }
}
