/// What keeps one who came apart from the others from counting as left behind.
package enum DepartureObstacle: Sendable, Equatable {
    /// Of those they came apart from, no two are linked.
    case restIsScattered
    /// The rest is nearer to p than so many metres.
    case restIsNear(Double)
    /// The rest is so many metres or more from p, but not for long enough yet.
    case restLeftLately(Double)
    /// Their last fix was taken beyond 1.5 R of p, so many metres from it: one more makes it a choice.
    case strayed(Double)
    /// Their last fix was taken beyond R of p, so many metres from it: they are not there, and have not gone yet.
    case wandered(Double)
    /// Fewer than two of the rest were heard of within 45 min.
    case restIsSilent
    /// They have said nothing since the rest went away, and may be with it.
    case silent
    /// So many were left at p, which is more than may be missing.
    case manyLeft(Int)
}
