package import MusterCore
package import MusterWire

/// A frame from the server, except rosters and updates, which `RosterFrame` joins from encoded pieces.
package enum ServerFrame: Sendable, Equatable {
    /// The response to `hello`.
    case welcome(Welcome, session: SessionID, at: Timestamp, ServerTerms)
    /// A request failed, or a frame was invalid.
    case error(FrameError)
    /// The response to `ping`.
    case pong(RequestTag?, at: Timestamp)
    /// The server is about to close. The client reconnects after `retryAfter` + random(0…`jitter`) milliseconds.
    case goaway(reason: String, retryAfter: Int64, jitter: Int64)
    /// Fixes have been stored durably.
    case ack(Acknowledgement)
    /// The database accepts fixes again. The client resends those with numbers above `after`.
    case resend(after: Int64)
    /// The user's exact position, from another device of the user.
    case selfMoved(SelfPosition)
    /// A request for the device's current position.
    case locate(LocateID, group: GroupID, from: UserProfile)
    /// The position of the requested user.
    case located(LocateID, user: UserID, SelfPosition)
    /// The requested user's devices did not answer in time.
    case locateExpired(LocateID)
    /// A stored notification of any kind, which stays pending until it is seen.
    case notification(NumberedNotification, isLate: Bool)
    /// A message that is only sent to connected sessions.
    case live(LiveMessage)
    /// The content for a wearable.
    case glance(Glance)
    /// A group's gathering started, moved, ended, or its members changed.
    case gathering(GatheringStatus, group: GroupID)
}
