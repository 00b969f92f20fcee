/// The rooms that sessions follow, and the sessions with chat support.
struct ChatState {
    /// A room, from the first query of a session until its last follower is gone.
    struct Room {
        var epoch: String
        var version: Int64
        /// The highest announced version; above `version` until the changes in between are read.
        var highest: Int64
        /// Whether there may be unknown changes.
        var isSuspect = false
        /// Whether a query for missing changes is under way.
        var isReading = false
        /// The revision of the group or event that must be known before further changes are forwarded.
        var wantedRevision: Int64 = 0
        /// The members of an event's room; nil for a group's room, whose members are those of the group.
        var eventMembers: EventMembers?
        /// The sessions that follow the room.
        var followers: Set<SessionID> = []
        /// The users who are typing, with the time at which that state expires.
        var typing: [(user: UserID, until: Timestamp)] = []
    }

    /// The known members of an event's room.
    struct EventMembers {
        /// The event revision that the members belong to.
        var revision: Int64
        /// The members; nil when only the followers are known.
        var members: Set<UserID>?
        /// Followers whom storage found in the room at a later revision.
        var later: [UserID: Int64] = [:]
        /// Whether a query for the event is under way.
        var isReading = false
    }

    /// The chat state of a session.
    struct Session {
        var followed: Set<RoomID> = []
        /// The room on the client's screen.
        var focus: RoomID?
        /// The number of its room queries under way.
        var queries = 0
        /// Event rooms that its user joined while a query is under way.
        var entered: Set<RoomID> = []
    }

    /// The lifetime of a typing state, in milliseconds.
    static let typingLasts: Int64 = 6_000

    var rooms: [RoomID: Room] = [:]
    var sessions: [SessionID: Session] = [:]
    /// Announcements for rooms whose query is under way.
    var awaited: [RoomID: PendingRoom] = [:]
    /// The blocked users of each user who blocks any.
    var blocked: [UserID: Set<UserID>] = [:]
    /// The number of the last typing update.
    var typingNumber: Int64 = 0

    /// A room that is being queried.
    struct PendingRoom {
        /// The number of queries under way.
        var queries = 0
        /// The newest version announced since the query began.
        var highest: Int64 = 0
        /// The members of an event's room announced since the query began.
        var eventMembers: EventMembers?
    }
}
