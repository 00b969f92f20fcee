/// The reason why a member who came apart from the others does not count as left behind.
package enum DepartureObstacle: Sendable, Equatable {
    /// No two members of the rest are linked.
    case restIsScattered
    /// The rest is nearer to p than this distance in metres.
    case restIsNear(Double)
    /// The rest is at least this distance in metres from p, but not for long enough yet.
    case restLeftLately(Double)
    /// The last fix was beyond 1.5 R of p, at this distance in metres; one more makes it a choice.
    case strayed(Double)
    /// The last fix was beyond R of p, at this distance in metres: the member is not at p, and has not left yet.
    case wandered(Double)
    /// Fewer than two members of the rest reported within 45 min.
    case restIsSilent
    /// The member has not reported since the rest went away, and may be with it.
    case silent
    /// This number of members was left at p, which is more than may be missing.
    case manyLeft(Int)
}
