/// The measurement behind a step, for traces.
package struct GatheringMeasure: Sendable, Equatable {
    /// The distance in metres: between two members, from a member to the nearest of C, or to where they came apart from
    /// the others.
    package var distance: Double
    /// The age in milliseconds of the first member's position.
    package var age: Int64
    /// The age in milliseconds of the other member's position, if there is one.
    package var otherAge: Int64?
}

/// The reason why two members near each other are not linked.
package enum LinkObstacle: Sendable, Equatable {
    /// They are farther apart than R, but within R after accuracy credit, where no link changes.
    case band
    /// Both are settled: a link takes 10 min and two fixes of each, because noise must not link neighbours.
    case settled
    /// They have not been within R for long enough, or not at enough fixes.
    case unproven
}

/// Two members who are near each other and not linked.
package struct UnlinkedPair: Sendable, Equatable {
    package var user: UserID
    package var other: UserID
    package var obstacle: LinkObstacle
    package var measure: GatheringMeasure
    /// The clause that prevents the link, and the value that was compared with its limit.
    package var ground: GatheringGround
    /// The accuracies in metres that both devices reported.
    package var accuracies: [Double]
}
