/// What somebody prefers who walks from place to place.
package enum PlanPace: String, Sendable, Codable, CaseIterable {
    /// Short ways.
    case close
    case balanced
    /// Well-known places, however far they are.
    case famous

    /// How many minutes of walking weigh as much as a place of the greatest fame.
    package var minutesPerFame: Double {
        switch self {
        case .close: 10
        case .balanced: 20
        case .famous: 40
        }
    }
}
