/// What a step on the way to a decision was found from, for people who ask why.
package struct GatheringMeasure: Sendable, Equatable {
    /// Metres: between two members, from one to the nearest of those together, or to where they came apart from the others.
    package var distance: Double
    /// How many milliseconds old the position of the first one was.
    package var age: Int64
    /// How old that of the other one was, where there is one.
    package var otherAge: Int64?
}

/// Why two who are near each other do not count as together.
package enum LinkObstacle: Sendable, Equatable {
    /// They are further apart than R by no more than their accuracy explains: nothing changes there.
    case band
    /// Neither has moved for long: that takes 10 min and two fixes of each, as noise must not link neighbours.
    case settled
    /// They were within R too lately, or at too few fixes.
    case unproven
}

/// Two who are near each other and do not count as together.
package struct UnlinkedPair: Sendable, Equatable {
    package var user: UserID
    package var other: UserID
    package var obstacle: LinkObstacle
    package var measure: GatheringMeasure
    /// The clause that keeps them apart, and the value that it held against its limit.
    package var ground: GatheringGround
    /// The radii in metres that both devices believe in.
    package var accuracies: [Double]
}
