/// A step in the decision on who left whom.
package enum DepartureStep: Sendable, Equatable {
    /// All links of a member to the others are open; p is this place.
    case cameApart(from: Coordinate)
    /// The member is not left behind, or not yet.
    case waits(DepartureObstacle)
    /// The member and the rest had not both stayed there for long, so no one was left behind.
    case metInPassing
    /// The member was beyond 1.5 R of p at two fixes in a row.
    case leftByChoice
    /// The rest was away for long enough, and the member stayed.
    case leftBehind
    /// The member is with the others again, and the departure is forgotten.
    case forgotten
    /// The gathering ended before the decision.
    case gaveUp
}
