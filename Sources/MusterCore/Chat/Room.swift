/// The notifications of a room that a member has muted.
package enum RoomMute: String, Sendable, CaseIterable, Encodable {
    /// No notification is muted.
    case none
    /// All notifications are muted.
    case all
    /// All except mentions and wait requests are muted.
    case mentions
}

/// The position of a client in a room, as the client states it on resume.
package struct RoomPosition: Sendable, Equatable {
    package var epoch: String
    /// The newest version that the client has.
    package var version: Int64
    /// The last message that the client knows to be read.
    package var read: Int64

    /// Creates a position.
    package init(epoch: String, version: Int64, read: Int64) {
        self.epoch = epoch
        self.version = version
        self.read = read
    }
}

/// A room as one member sees it.
package struct RoomView: Sendable, Equatable {
    /// The event of an event's room.
    package struct Event: Sendable, Equatable {
        package var title: String
        package var host: UserID
        package var startsAt: Timestamp
        /// The event revision at which the room was read; the user was a member then.
        package var revision: Int64

        /// Creates an event.
        package init(title: String, host: UserID, startsAt: Timestamp, revision: Int64) {
            self.title = title
            self.host = host
            self.startsAt = startsAt
            self.revision = revision
        }
    }

    package var room: RoomID
    package var epoch: String
    package var version: Int64
    /// The sequence number of the newest message.
    package var seq: Int64
    /// The first message that the member may read.
    package var first: Int64
    /// The last message that the member has read.
    package var read: Int64
    /// The number of unread messages of others, up to 100.
    package var unread: Int
    /// The number of those that mention the member, up to 100.
    package var mentions: Int
    package var muted: RoomMute
    /// The slow mode interval: seconds between two messages of a member.
    package var slow: Int
    /// The newest message with content; nil for none.
    package var last: ChatMessage?
    /// The event of the room; nil for a group's room.
    package var event: Event?

    /// Creates a room.
    package init(
        room: RoomID,
        epoch: String,
        version: Int64,
        seq: Int64,
        first: Int64,
        read: Int64,
        unread: Int,
        mentions: Int,
        muted: RoomMute,
        slow: Int,
        last: ChatMessage?,
        event: Event? = nil
    ) {
        self.room = room
        self.epoch = epoch
        self.version = version
        self.seq = seq
        self.first = first
        self.read = read
        self.unread = unread
        self.mentions = mentions
        self.muted = muted
        self.slow = slow
        self.last = last
        self.event = event
    }
}

/// The changes of a room between two versions.
package struct RoomAdvance: Sendable, Equatable {
    package var room: RoomID
    package var epoch: String
    /// The version before the changes.
    package var after: Int64
    /// The version after the changes.
    package var upTo: Int64
    /// The revision of the group or event at the time of writing; only users who were members then may see the changes.
    package var revision: Int64
    /// The current state of the messages, by rising version.
    package var messages: [ChatMessage]

    /// Creates a change.
    package init(
        room: RoomID,
        epoch: String,
        after: Int64,
        upTo: Int64,
        revision: Int64,
        messages: [ChatMessage]
    ) {
        self.room = room
        self.epoch = epoch
        self.after = after
        self.upTo = upTo
        self.revision = revision
        self.messages = messages
    }
}

extension GroupID {
    /// The group's room.
    package var room: RoomID { RoomID(self.rawValue) }
}

extension RoomID {
    /// The group of the room, if it is a group's room.
    package var group: GroupID { GroupID(self.rawValue) }
    /// The event of the room, if it is an event's room.
    ///
    /// Groups and events never share an id.
    package var event: EventID { EventID(self.rawValue) }
}

extension EventID {
    /// The event's room.
    package var room: RoomID { RoomID(self.rawValue) }
}

/// A query for the rooms of a user.
package struct RoomsQuery: Sendable, Equatable {
    /// The requesting session.
    package var session: SessionID
    package var user: UserID
    /// The rooms.
    package var rooms: [RoomID]
    /// The positions that the client has cached.
    package var resume: [RoomID: RoomPosition] = [:]
    /// Whether this is the session's first query, which also asks for the user's event rooms.
    package var isFirst = false
}

/// The answer to a query for a user's rooms.
package struct RoomsRead: Sendable, Equatable {
    /// The maximum number of changes per room.
    package static let mostChanges = 200
    /// The maximum number of changes of all rooms.
    package static let mostChangesInAll = 1_000

    package var rooms: [RoomView]
    /// The changes that the client missed, for rooms where there are not too many.
    package var changes: [RoomAdvance]
    /// Further event rooms of the user, which need a query of their own.
    package var others: [RoomID]

    /// Creates an answer.
    package init(rooms: [RoomView], changes: [RoomAdvance], others: [RoomID] = []) {
        self.rooms = rooms
        self.changes = changes
        self.others = others
    }
}
