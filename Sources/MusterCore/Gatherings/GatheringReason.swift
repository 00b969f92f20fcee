/// A step in a decision of a gathering machine, for traces.
package enum GatheringReason: Sendable, Equatable {
    /// A member's position became good enough to decide about.
    case becameUsable(UserID)
    /// A member's position became too old; a member of C counts at their last position.
    case becameUnknown(UserID)
    /// A member stopped sharing `live`, and takes no part.
    case withdrew(UserID)
    /// A member started to share `live`.
    case tookUp(UserID)
    /// Two members are linked.
    case linkClosed(UserID, UserID)
    /// Two members are no longer linked.
    case linkOpened(UserID, UserID)
    /// More than half of the group are together: the dwell begins.
    case dwellStarted
    /// The members together became too few before the dwell was over.
    case dwellBroken
    /// The gathering began.
    case began
    /// Half of the group or fewer are together: the gathering ends unless that changes.
    case fellBelow
    /// More than half are together again.
    case recovered
    /// The gathering is over.
    case ended
    /// A member is away from all who are together; `missing` is the number of such members.
    case becameAbsent(UserID, missing: Int)
    /// A member is away, but no alert is sent because too many are.
    case manyMissing(UserID, missing: Int, limit: Int)
    /// A member is away, and no longer too many are.
    case fewMissing(UserID, missing: Int, limit: Int)
    /// A member is no longer away.
    case ceasedToBeAbsent(UserID)
    /// A member is not alerted because they took part in the gathering.
    case tookPart(UserID)
    /// A member is not alerted because they already were for this gathering.
    case alreadyNotified(UserID)
    /// A member is not alerted because of an alert of the same variant within the cooldown.
    case cooledDown(UserID, LeftWithoutYou.Variant)
    /// A member is alerted.
    case alerted(UserID, LeftWithoutYou.Variant)

    /// A member came apart from the others, or the departure was decided.
    case departure(UserID, DepartureStep)

    /// The members concerned; empty if the step concerns the group.
    package var users: [UserID] {
        switch self {
        case .linkClosed(let one, let other), .linkOpened(let one, let other): [one, other]
        case .becameUsable(let user), .becameUnknown(let user), .withdrew(let user), .tookUp(let user),
            .becameAbsent(let user, _), .manyMissing(let user, _, _), .fewMissing(let user, _, _),
            .ceasedToBeAbsent(let user), .tookPart(let user), .alreadyNotified(let user), .cooledDown(let user, _),
            .alerted(let user, _),
            .departure(let user, _):
            [user]
        case .dwellStarted, .dwellBroken, .began, .fellBelow, .recovered, .ended: []
        }
    }
}

/// A reason with its instant, in the machine's own time.
package struct GatheringTraceEntry: Sendable, Equatable {
    package var at: Timestamp
    package var reason: GatheringReason
    /// The measurement; nil if nothing was measured.
    package var measure: GatheringMeasure?
    /// The clause that decided, and the value that was compared with its limit.
    package var ground: GatheringGround
}
