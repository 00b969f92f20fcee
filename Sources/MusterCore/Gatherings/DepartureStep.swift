/// One step on the way to knowing who left whom.
package enum DepartureStep: Sendable, Equatable {
    /// All links of a member to the others are open; they were last with them at this place, which is p.
    case cameApart(from: Coordinate)
    /// They are not left behind, or not yet.
    case waits(DepartureObstacle)
    /// They and the rest had not both stayed there for long, so that nobody leaves anybody.
    case metInPassing
    /// They were beyond 1.5 R of p at two fixes in a row.
    case leftByChoice
    /// The rest was away for long enough, and they stayed.
    case leftBehind
    /// They are with the others again, and it is as if they had never come apart.
    case forgotten
    /// The gathering ended before it was known.
    case gaveUp
}
