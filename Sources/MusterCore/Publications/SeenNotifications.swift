/// Which of their notifications a person has seen.
package enum SeenNotifications: Sendable, Equatable, Codable {
    /// All up to and including a number.
    case upTo(Int64)
    /// These.
    case numbers([Int64])

    /// The most numbers that a client may name at once.
    package static let mostNumbers = 100
}
