/// The user's preference between short legs and well-known places.
package enum PlanPace: String, Sendable, CaseIterable, Codable {
    /// Short legs.
    case close
    case balanced
    /// Well-known places, even if they are far apart.
    case famous

    /// The minutes of walking that weigh as much as a place of maximum fame.
    package var minutesPerFame: Double {
        switch self {
        case .close: 10
        case .balanced: 20
        case .famous: 40
        }
    }
}
