/// What sessions are told when one person asks where another is.
package enum LocateEffect: Sendable, Codable {
    /// The session's request to know where someone is went out.
    case started(SessionID, RequestTag?, LocateID, devices: Int, expiresAt: Timestamp)
    /// Someone wants to know where this session's device is.
    case asked(SessionID, LocateID, group: GroupID, from: UserProfile)
    /// The one asked for was found.
    case found(SessionID, LocateID, user: UserID, SelfPosition)
    /// The one asked for did not answer.
    case expired(SessionID, LocateID)
}
