/// A change or request about chat rooms, as input of the world.
package enum ChatInput: Sendable {
    /// Committed changes of rooms; one without messages only announces the room's version.
    case advanced([RoomAdvance])
    /// A user's read position or mute setting in a room changed: their other sessions with chat support get this frame.
    case notified(UserID, except: SessionID?, frame: [UInt8])
    /// Notifications of a user need not be shown any more; storage knows this already.
    case seen(UserID, [Int64])
    /// A user blocked or unblocked another user.
    case blocked(UserID, other: UserID, Bool)
    /// The slow mode of a room changed: its members are informed.
    case changed(RoomID)
    /// Changes may have been committed without an announcement, in these rooms or, with nil, in any room.
    case suspected([RoomID]?)
    /// A session shows a room, or none; the world answers.
    case focused(SessionID, RequestTag?, RoomID?)
    /// The user of a session is typing in a room; the world answers.
    case typed(SessionID, RequestTag?, RoomID)
}

/// A message to sessions about chat rooms, or to the chat service.
package enum ChatEffect: Sendable {
    /// The state of a session's rooms.
    case rooms(SessionID, [RoomView])
    /// Sessions have lost access to a room.
    case gone([SessionID], RoomID)
    /// The changes of a room that a session missed.
    case missed(SessionID, RoomAdvance)
    /// A session missed more changes of a room than are sent.
    case gap(SessionID, RoomID, epoch: String, upTo: Int64)
    /// A session's request succeeded.
    case done(SessionID, RequestTag?)
    /// A session follows a room from a version on, as far as it may see it; `version` is the room's current version
    /// here.
    case follow(SessionID, RoomID, epoch: String, version: Int64, from: Int64, first: Int64)
    /// A session stops following a room.
    case unfollow(SessionID, RoomID)
    /// New changes of a room, for its followers.
    case advanced(RoomAdvance)
    /// A room is no longer maintained.
    case closed(RoomID)
    /// A session shows a room and receives its typing updates.
    case subscribeToTyping(SessionID, RoomID)
    /// A session stops showing a room.
    case unsubscribeFromTyping(SessionID, RoomID)
    /// The users who are typing in a room; the number rises.
    case typing(RoomID, [UserID], number: Int64)
    /// A system message to be posted in a room, once per key.
    case say(RoomID, key: String, NotificationPayload, at: Timestamp)
    /// A user went offline and must be notified of unread messages from now on.
    case wentAway(UserID)
}
