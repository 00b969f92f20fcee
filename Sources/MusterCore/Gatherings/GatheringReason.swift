/// One step on the way to a decision of a gathering machine, for people who ask why.
package enum GatheringReason: Sendable, Equatable {
    /// A member's position became good enough to decide about.
    case becameUsable(UserID)
    /// A member's position became too old; one of those together counts where they last were.
    case becameUnknown(UserID)
    /// A member does not share `live` any more, and so takes no part.
    case withdrew(UserID)
    /// A member shares `live` from now on.
    case tookUp(UserID)
    /// Two members count as together.
    case linkClosed(UserID, UserID)
    /// Two members no longer count as together.
    case linkOpened(UserID, UserID)
    /// More than half of the group are together: the dwell begins.
    case dwellStarted
    /// They are not any more, before the dwell was over.
    case dwellBroken
    /// The gathering began.
    case began
    /// Fewer than half are together: the gathering ends unless that changes.
    case fellBelow
    /// Enough are together again.
    case recovered
    /// The gathering is over.
    case ended
    /// A member is away from all who are together; `missing` is how many are.
    case becameAbsent(UserID, missing: Int)
    /// A member is away, and nobody is told while so many are.
    case manyMissing(UserID, missing: Int, limit: Int)
    /// A member is away, and no longer are too many.
    case fewMissing(UserID, missing: Int, limit: Int)
    /// A member is not away any more.
    case ceasedToBeAbsent(UserID)
    /// A member is told nothing of a gathering that they took part in.
    case tookPart(UserID)
    /// A member is told nothing, because they were told of this gathering.
    case alreadyTold(UserID)
    /// A member is told nothing, because they were told something of the kind within the cooldown.
    case cooledDown(UserID, LeftWithoutYou.Variant)
    /// A member is told.
    case alerted(UserID, LeftWithoutYou.Variant)

    /// A member came apart from the others, or it became known who left whom.
    case departure(UserID, DepartureStep)

    /// Whom it is about; nobody when it is about the group.
    package var users: [UserID] {
        switch self {
        case .linkClosed(let one, let other), .linkOpened(let one, let other): [one, other]
        case .becameUsable(let user), .becameUnknown(let user), .withdrew(let user), .tookUp(let user),
            .becameAbsent(let user, _), .manyMissing(let user, _, _), .fewMissing(let user, _, _),
            .ceasedToBeAbsent(let user), .tookPart(let user), .alreadyTold(let user), .cooledDown(let user, _),
            .alerted(let user, _),
            .departure(let user, _):
            [user]
        case .dwellStarted, .dwellBroken, .began, .fellBelow, .recovered, .ended: []
        }
    }
}

/// A reason with the instant at which it applied, in the machine's own time.
package struct GatheringTraceEntry: Sendable, Equatable {
    package var at: Timestamp
    package var reason: GatheringReason
    /// What was measured; nil where nothing was.
    package var measure: GatheringMeasure?
    /// The clause that decided, and the value that it held against its limit.
    package var ground: GatheringGround
}
