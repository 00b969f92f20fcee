package import MusterCore

/// Requests a page of a room's messages.
package struct ChatHistory: ClientRequest {
    package typealias Answer = ChatHistoryAnswer
    package static let type = "chat.history"
    package static let order = RequestOrder.concurrent

    /// The allowed number of messages in one answer.
    package static let limitRange = 1...100

    package var room: RoomID
    /// Only earlier messages.
    ///
    /// At most one of `before`, `after` and `around` is set.
    package var before: Int64?
    /// Only later messages.
    package var after: Int64?
    /// Messages on both sides of this one.
    package var around: Int64?
    package var limit: Int?

    /// Creates a request.
    package init(
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

    package init(reading fields: JSONFields) throws(FrameError) {
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
package struct ChatChanges: ClientRequest {
    package typealias Answer = ChatChangesAnswer
    package static let type = "chat.changes"
    package static let order = RequestOrder.concurrent

    /// The allowed number of messages in one answer.
    package static let limitRange = 1...200

    package var room: RoomID
    package var epoch: String
    package var after: Int64
    package var limit: Int?

    /// Creates a request.
    package init(of room: RoomID, epoch: String, after version: Int64, limit: Int? = nil) {
        self.room = room
        self.epoch = epoch
        self.after = version
        self.limit = limit
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            of: try fields.required("room", fields.identifier("room")),
            epoch: try fields.required("epoch", fields.string("epoch", length: 1...64)),
            after: try fields.required("after", fields.integer("after", in: 0...Int64.max)),
            limit: try fields.integer("limit", in: Self.limitRange)
        )
    }
}

/// Sets the user's read position.
package struct ChatRead: ClientRequest {
    package typealias Answer = ChatReadAnswer
    package static let type = "chat.read"
    package static let order = RequestOrder.line("chat.read")

    package var room: RoomID
    package var seq: Int64

    /// Creates a request with the last read message.
    package init(_ room: RoomID, upTo seq: Int64) {
        self.room = room
        self.seq = seq
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("room", fields.identifier("room")),
            upTo: try fields.required("seq", fields.integer("seq", in: 0...Int64.max))
        )
    }
}

/// Sets the room that is visible on the screen.
package struct ChatFocus: ClientRequest {
    package static let type = "chat.focus"
    package static let order = RequestOrder.concurrent

    /// The room; nil for none.
    package var room: RoomID?

    /// Creates a request.
    package init(_ room: RoomID?) { self.room = room }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(try fields.identifier("room")) }
}

/// Reports that the user is typing.
package struct ChatTyping: ClientRequest {
    package static let type = "chat.typing"
    package static let order = RequestOrder.concurrent
    package static let rate: RequestRate? = .chatTyping

    package var room: RoomID

    /// Creates a request.
    package init(in room: RoomID) { self.room = room }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(in: try fields.required("room", fields.identifier("room")))
    }
}
