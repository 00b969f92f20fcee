package import MusterCore

/// Changes the user's notification setting of a room, and, as its host, the slow mode.
package struct RoomSet: ClientRequest {
    package typealias Answer = RoomAnswer
    package static let type = "room.set"
    package static let order = RequestOrder.line("chat")
    package static let rate: RequestRate? = .roomSet

    /// The minimum time between two messages of a user in seconds.
    package static let slowRange = 0...3600

    package var room: RoomID
    package var muted: RoomMute?
    package var slow: Int?

    /// Creates a request.
    package init(_ room: RoomID, muted: RoomMute? = nil, slow: Int? = nil) {
        self.room = room
        self.muted = muted
        self.slow = slow
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("room", fields.identifier("room")),
            muted: try fields.choice("muted"),
            slow: try fields.integer("slow", in: Self.slowRange)
        )
    }
}

/// Asks the members who are together to wait.
package struct GroupWait: ClientRequest {
    package typealias Answer = GroupWaitAnswer
    package static let type = "group.wait"
    package static let audience = RequestAudience.allSessions
    package static let order = RequestOrder.line("chat")

    /// The allowed time until the user's arrival, in seconds.
    package static let etaRange = 60...10_800

    package var group: GroupID
    /// The idempotency key.
    package var key: String
    package var eta: Int?

    /// Creates a request.
    package init(_ group: GroupID, key: String, eta: Int? = nil) {
        self.group = group
        self.key = key
        self.eta = eta
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("group", fields.identifier("group")),
            key: try fields.required("key", fields.string("key", length: ChatMessage.keyLength)),
            eta: try fields.integer("eta", in: Self.etaRange)
        )
    }
}
