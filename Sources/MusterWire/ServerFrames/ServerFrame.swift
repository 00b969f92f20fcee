package import MusterCore

/// A frame that the server sends, but for rosters and updates, which `RosterFrame` joins from encoded pieces.
package enum ServerFrame: Sendable, Equatable {
    /// Answers `hello`.
    case welcome(Welcome, session: SessionID, at: Timestamp, ServerTerms)
    /// A request failed, or a frame was bad.
    case error(FrameError)
    /// Answers `ping`.
    case pong(RequestTag?, at: Timestamp)
    /// The server is about to close: come back after `retryAfter` + random(0…`jitter`) milliseconds.
    case goaway(reason: String, retryAfter: Int64, jitter: Int64)
    /// Fixes are durable.
    case ack(Acknowledgement)
    /// Storage takes fixes again: send those above `after` once more.
    case resend(after: Int64)
    /// One's own exact position, from another of one's devices.
    case selfMoved(SelfPosition)
    /// Somebody wants to know where one is.
    case locate(LocateID, group: GroupID, from: UserProfile)
    /// The one asked for was found.
    case located(LocateID, user: UserID, SelfPosition)
    /// The one asked for did not answer.
    case locateExpired(LocateID)
    /// What waits until it is seen, of whatever kind.
    case notification(NumberedNotification, isLate: Bool)
    /// What one is told now or never.
    case live(LiveMessage)
    /// What a watch shows.
    case glance(Glance)
    /// A group came together, moved, ended, or the people in it changed.
    case gathering(GatheringStatus, group: GroupID)
}
