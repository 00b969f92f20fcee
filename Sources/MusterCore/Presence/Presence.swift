/// The presence of a user, over all their devices.
package enum Presence: String, Sendable, CaseIterable {
    /// A session in the foreground.
    case online
    /// Only sessions in the background, or a device that reports without a session.
    case away
    /// Neither.
    case offline
}
