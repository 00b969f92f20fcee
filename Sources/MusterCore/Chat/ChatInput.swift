/// What can happen to the world in rooms.
package enum ChatInput: Sendable, Codable {
    /// Rooms changed, and the changes are committed; one without messages says no more than how far its room is.
    case advanced([RoomAdvance])
    /// The directory read what changed in a room because the world asked for it.
    case read(RoomAdvance)
    /// The directory found that there is no such room, or could not read it for long.
    case notRead(RoomID)
    /// The directory read the rooms of a person because the world asked for them.
    case roomsRead(RoomsReading, RoomsRead)
    /// The directory could not read the rooms of a person for long: their session is to come back.
    case roomsNotRead(RoomsReading)
    /// A person has read on, or wants to hear other things of a room: their other sessions that know rooms get this frame.
    case told(UserID, except: SessionID?, frame: [UInt8])
    /// Notifications of a person need not be shown any more, as storage knows already.
    case seen(UserID, [Int64])
    /// A person does not want to hear of another any more, or does again.
    case blocked(UserID, other: UserID, Bool)
    /// The pace of a room changed: whoever is in it is told.
    case changed(RoomID)
    /// Something may have been committed in these rooms, or with nil in any, of which nobody was told.
    case suspected([RoomID]?)
    /// A session shows a room, or none; the world answers.
    case focused(SessionID, RequestTag?, RoomID?)
    /// The person of a session writes in a room; the world answers.
    case typed(SessionID, RequestTag?, RoomID)
}

/// What the world asks of those around it for rooms.
package enum ChatEffect: Sendable, Codable {
    /// A session is told how its rooms are.
    case rooms(SessionID, [RoomView])
    /// Sessions have lost a room.
    case gone([SessionID], RoomID)
    /// A session is told what it missed in a room.
    case missed(SessionID, RoomAdvance)
    /// A session is told that it missed more in a room than can be told.
    case gap(SessionID, RoomID, epoch: String, upTo: Int64)
    /// A session's request was done.
    case done(SessionID, RequestTag?)
    /// A session follows a room from a version on, as far as it may see it; `version` is how far the room is here.
    case follow(SessionID, RoomID, epoch: String, version: Int64, from: Int64, first: Int64)
    /// A session follows a room no longer.
    case unfollow(SessionID, RoomID)
    /// A room changed.
    case advanced(RoomAdvance)
    /// A room is no longer kept.
    case closed(RoomID)
    /// A session shows a room, and is told who writes there.
    case watchTyping(SessionID, RoomID)
    /// A session shows a room no longer.
    case unwatchTyping(SessionID, RoomID)
    /// Others write in a room; the number rises.
    case typing(RoomID, [UserID], number: Int64)
    /// Something is to be said in a room, once for a key.
    case say(RoomID, key: String, NotificationPayload, at: Timestamp)
    /// A person is no longer there: they are to be told when there is something to read.
    case wentAway(UserID)
    /// How somebody's rooms are is needed; answered by `roomsRead` or `roomsNotRead`.
    case readRooms(RoomsReading)
    /// What changed in a room is needed; answered by `read` or `notRead`.
    case readRoom(RoomID, after: Int64)
    /// How far rooms are is needed; answered by `advanced` without messages, or `suspected`, and by `EventInput.removed` for rooms
    /// that are gone.
    case readHeads([RoomID])
    /// Who comes to an event is needed; answered by `EventInput.changed`, `removed`, or `notRead` for its room.
    case readEvent(EventID)
}
