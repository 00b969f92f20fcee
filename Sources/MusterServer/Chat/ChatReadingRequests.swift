import MusterCore
import MusterWire

/// Requests a page of a room's messages.
struct ChatHistory: ClientRequest {
    typealias Answer = ChatHistoryAnswer
    static let type = "chat.history"
    static let order = RequestOrder.concurrent

    /// The allowed number of messages in one answer.
    static let limitRange = 1...100

    var room: RoomID
    /// Only earlier messages.
    ///
    /// At most one of `before`, `after` and `around` is set.
    var before: Int64?
    /// Only later messages.
    var after: Int64?
    /// Messages on both sides of this one.
    var around: Int64?
    var limit: Int?

    /// Creates a request.
    init(
        of room: RoomID,
        before: Int64? = nil,
        after: Int64? = nil,
        around: Int64? = nil,
        limit: Int? = nil
    ) {
        self.room = room
        self.before = before
        self.after = after
        self.around = around
        self.limit = limit
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            of: try fields.required("room", fields.identifier("room")),
            before: try fields.integer("before", in: 0...Int64.max),
            after: try fields.integer("after", in: 0...Int64.max),
            around: try fields.integer("around", in: 0...Int64.max),
            limit: try fields.integer("limit", in: Self.limitRange)
        )
        guard [self.before, self.after, self.around].count(where: { $0 != nil }) <= 1 else {
            throw fields.error("before", "must be the only one of before, after and around")
        }
    }
}

/// Requests the changes of a room after a version.
struct ChatChanges: ClientRequest {
    typealias Answer = ChatChangesAnswer
    static let type = "chat.changes"
    static let order = RequestOrder.concurrent

    /// The allowed number of messages in one answer.
    static let limitRange = 1...200

    var room: RoomID
    var epoch: String
    var after: Int64
    var limit: Int?

    /// Creates a request.
    init(of room: RoomID, epoch: String, after version: Int64, limit: Int? = nil) {
        self.room = room
        self.epoch = epoch
        self.after = version
        self.limit = limit
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            of: try fields.required("room", fields.identifier("room")),
            epoch: try fields.required("epoch", fields.string("epoch", length: 1...64)),
            after: try fields.required("after", fields.integer("after", in: 0...Int64.max)),
            limit: try fields.integer("limit", in: Self.limitRange)
        )
    }
}

/// Sets the user's read position.
struct ChatRead: ClientRequest {
    typealias Answer = ChatReadAnswer
    static let type = "chat.read"
    static let order = RequestOrder.line("chat.read")

    var room: RoomID
    var seq: Int64

    /// Creates a request with the last read message.
    init(_ room: RoomID, upTo seq: Int64) {
        self.room = room
        self.seq = seq
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("room", fields.identifier("room")),
            upTo: try fields.required("seq", fields.integer("seq", in: 0...Int64.max))
        )
    }
}

/// Sets the room that is visible on the screen.
struct ChatFocus: ClientRequest {
    static let type = "chat.focus"
    static let order = RequestOrder.concurrent

    /// The room; nil for none.
    var room: RoomID?

    /// Creates a request.
    init(_ room: RoomID?) { self.room = room }

    init(reading fields: JSONFields) throws(FrameError) { self.init(try fields.identifier("room")) }
}

/// Reports that the user is typing.
struct ChatTyping: ClientRequest {
    static let type = "chat.typing"
    static let order = RequestOrder.concurrent
    static let rate: RequestRate? = .chatTyping

    var room: RoomID

    /// Creates a request.
    init(in room: RoomID) { self.room = room }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(in: try fields.required("room", fields.identifier("room")))
    }
}
