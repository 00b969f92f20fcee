/// Which notifications of a room a member does not want.
package enum RoomMute: String, Sendable, Codable, CaseIterable {
    /// They want all.
    case none
    /// They want none.
    case all
    /// They want to hear of mentions and of who asks to wait, and of nothing else.
    case mentions
}

/// How far a client has come in a room, as it says itself when it resumes.
package struct RoomPosition: Sendable, Equatable, Codable {
    package var epoch: String
    /// The newest version that it holds.
    package var version: Int64
    /// The last message that it knows to be read.
    package var read: Int64

    /// Creates a position.
    package init(epoch: String, version: Int64, read: Int64) {
        self.epoch = epoch
        self.version = version
        self.read = read
    }
}

/// A room as one member has it.
package struct RoomView: Sendable, Equatable, Codable {
    /// The event whose room it is.
    package struct Event: Sendable, Equatable, Codable {
        package var title: String
        package var host: UserID
        package var startsAt: Timestamp
        /// The event's revision under which the room was read: the member was in it then.
        package var revision: Int64

        /// Describes an event.
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
    /// The newest message.
    package var seq: Int64
    /// The first message that the member may read.
    package var first: Int64
    /// The last that they have read.
    package var read: Int64
    /// How many messages of others they have not read, up to 100.
    package var unread: Int
    /// How many of those call them, up to 100.
    package var mentions: Int
    package var muted: RoomMute
    /// Seconds that a member waits from one message to the next.
    package var slow: Int
    /// The newest message that says something; nil for none.
    package var last: ChatMessage?
    /// The event whose room it is; nil for a group's.
    package var event: Event?

    /// Describes a room.
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

/// What changed in a room from one version to another.
package struct RoomAdvance: Sendable, Equatable, Codable {
    package var room: RoomID
    package var epoch: String
    /// The version before.
    package var after: Int64
    /// The version with it.
    package var upTo: Int64
    /// The revision of the group or event under which it was written; nobody may see it who was not in the room then.
    package var revision: Int64
    /// The messages as they are now, by rising version.
    package var messages: [ChatMessage]

    /// Describes a change.
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
    /// The group whose room it is, when it is a group's.
    package var group: GroupID { GroupID(self.rawValue) }
    /// The event whose room it is, when it is an event's: no event has the id of a group.
    package var event: EventID { EventID(self.rawValue) }
}

extension EventID {
    /// The event's room.
    package var room: RoomID { RoomID(self.rawValue) }
}

/// A question about the rooms of somebody whose client knows rooms.
package struct RoomsReading: Sendable, Equatable, Codable {
    /// Who asks.
    package var session: SessionID
    package var user: UserID
    /// Which rooms.
    package var rooms: [RoomID]
    /// What the client holds.
    package var resume: [RoomID: RoomPosition]
    /// Whether it is asked for the first time for a session, which rooms of events there are beside these.
    package var isFirst: Bool

    /// Creates a question.
    package init(
        session: SessionID,
        user: UserID,
        rooms: [RoomID],
        resume: [RoomID: RoomPosition] = [:],
        isFirst: Bool = false
    ) {
        self.session = session
        self.user = user
        self.rooms = rooms
        self.resume = resume
        self.isFirst = isFirst
    }
}

/// How somebody's rooms are, and what their client has missed.
package struct RoomsRead: Sendable, Equatable, Codable {
    /// How many changes of one room are told at once.
    package static let mostChanges = 200
    /// How many changes of all rooms.
    package static let mostChangesInAll = 1_000

    package var rooms: [RoomView]
    /// What changed in rooms since the client was last here, where that is not too much.
    package var changes: [RoomAdvance]
    /// Other rooms of the person, of events, which are still to be asked for.
    package var others: [RoomID]

    /// Creates an answer.
    package init(rooms: [RoomView], changes: [RoomAdvance], others: [RoomID] = []) {
        self.rooms = rooms
        self.changes = changes
        self.others = others
    }
}
