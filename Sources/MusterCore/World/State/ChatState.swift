/// Rooms that somebody here follows, and the sessions that know rooms.
struct ChatState {
    /// A room, from the moment at which a session asks for it until nobody follows it.
    struct Room {
        var epoch: String
        var version: Int64
        /// The highest version that is known to be there; above `version` until that was read.
        var highest: Int64
        /// Whether there may be more than is known.
        var isSuspect = false
        /// Whether storage is being asked for what is missing.
        var isReading = false
        /// The group's or event's revision without which nothing more may be told.
        var wantedRevision: Int64 = 0
        /// Who is in the room of an event; nil for a group's, which the group says.
        var seats: EventSeats?
        /// Who follows.
        var followers: Set<SessionID> = []
        /// Who writes, and until when that is true.
        var typing: [(user: UserID, until: Timestamp)] = []
    }

    /// Who is in the room of an event, as far as that is known.
    struct EventSeats {
        /// The event's revision under which it is so.
        var revision: Int64
        /// Who is in it; nil when it is only known of those who follow.
        var members: Set<UserID>?
        /// Followers whom storage found there under a later revision.
        var later: [UserID: Int64] = [:]
        /// Whether storage is being asked for the event.
        var isReading = false
    }

    /// What a session has of rooms.
    struct Session {
        var followed: Set<RoomID> = []
        /// The room on its screen.
        var focus: RoomID?
        /// How often it asks at present how rooms are.
        var readings = 0
        /// Rooms of events that its person was let into meanwhile.
        var entered: Set<RoomID> = []
    }

    /// For how long one who writes is said to write, in milliseconds.
    static let typingLasts: Int64 = 6_000

    var rooms: [RoomID: Room] = [:]
    var sessions: [SessionID: Session] = [:]
    /// Versions of rooms that are asked for and not known yet, as others told of them meanwhile.
    var awaited: [RoomID: Awaited] = [:]
    /// Whom people do not want to hear of, as far as they block anybody.
    var blocked: [UserID: Set<UserID>] = [:]
    /// Numbers what is told of who writes.
    var typingNumber: Int64 = 0

    /// A room that sessions ask for while nobody follows it yet.
    struct Awaited {
        /// How many sessions ask.
        var readings = 0
        /// The newest version that was announced meanwhile.
        var highest: Int64 = 0
        /// Who was announced to be in it meanwhile, of an event's.
        var seats: EventSeats?
    }
}
