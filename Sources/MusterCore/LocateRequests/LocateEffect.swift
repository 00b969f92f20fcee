/// The messages to sessions about a locate request: one member asks for another's position.
package enum LocateEffect: Sendable {
    /// The session's request was sent to the target's devices.
    case started(SessionID, RequestTag?, LocateID, devices: Int, expiresAt: Timestamp)
    /// Another member requests the position of this session's device.
    case asked(SessionID, LocateID, group: GroupID, from: UserProfile)
    /// The request must reach devices of a user whose app is closed.
    case pushed(LocateID, group: GroupID, from: UserProfile, to: UserID, at: Timestamp, expiresAt: Timestamp)
    /// The target answered with a position.
    case found(SessionID, LocateID, user: UserID, SelfPosition)
    /// The target did not answer in time.
    case expired(SessionID, LocateID)
}
