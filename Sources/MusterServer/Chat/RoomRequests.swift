import MusterCore
import MusterWire

/// Changes the user's notification setting of a room, and, as its host, the slow mode.
struct RoomSet: ClientRequest {
    typealias Answer = RoomAnswer
    static let type = "room.set"
    static let order = RequestOrder.line("chat")
    static let rate: RequestRate? = .roomSet

    /// The minimum time between two messages of a user in seconds.
    static let slowRange = 0...3600

    var room: RoomID
    var muted: RoomMute?
    var slow: Int?

    /// Creates a request.
    init(_ room: RoomID, muted: RoomMute? = nil, slow: Int? = nil) {
        self.room = room
        self.muted = muted
        self.slow = slow
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("room", fields.identifier("room")),
            muted: try fields.choice("muted"),
            slow: try fields.integer("slow", in: Self.slowRange)
        )
    }
}

/// Asks the members who are together to wait.
struct GroupWait: ClientRequest {
    typealias Answer = GroupWaitAnswer
    static let type = "group.wait"
    static let audience = RequestAudience.allSessions
    static let order = RequestOrder.line("chat")

    /// The allowed time until the user's arrival, in seconds.
    static let etaRange = 60...10_800

    var group: GroupID
    /// The idempotency key.
    var key: String
    var eta: Int?

    /// Creates a request.
    init(_ group: GroupID, key: String, eta: Int? = nil) {
        self.group = group
        self.key = key
        self.eta = eta
    }

    init(reading fields: JSONFields) throws(FrameError) {
        try self.init(try fields.required("group", fields.identifier("group")), reading: fields)
    }

    /// Decodes a request about a group that is named elsewhere.
    init(_ group: GroupID, reading fields: JSONFields) throws(FrameError) {
        self.init(
            group,
            key: try fields.required("key", fields.string("key", length: ChatMessage.keyLength)),
            eta: try fields.integer("eta", in: Self.etaRange)
        )
    }
}
