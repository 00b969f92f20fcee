package import MusterCore

/// Sends a message to a room, at most once for each key.
package struct ChatSend: ClientRequest {
    package typealias Answer = ChatSendAnswer
    package static let type = "chat.send"
    package static let order = RequestOrder.line("chat")
    package static let rate: RequestRate? = .chatSend

    package var room: RoomID
    /// The idempotency key.
    package var key: String
    package var text: String?
    package var photo: PhotoID?
    package var replyTo: Int64?
    package var mentions: [UserID]?

    /// Creates a request.
    package init(
        _ text: String?,
        in room: RoomID,
        key: String,
        photo: PhotoID? = nil,
        replyTo: Int64? = nil,
        mentions: [UserID]? = nil
    ) {
        self.room = room
        self.key = key
        self.text = text
        self.photo = photo
        self.replyTo = replyTo
        self.mentions = mentions
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.text("text", ChatMessage.textRule),
            in: try fields.required("room", fields.identifier("room")),
            key: try fields.required("key", fields.string("key", length: ChatMessage.keyLength)),
            photo: try fields.identifier("photo"),
            replyTo: try fields.integer("replyTo", in: 1...Int64.max),
            mentions: try fields.identifiers("mentions", atMost: ChatMessage.mostMentions)
        )
        guard self.text != nil || self.photo != nil else {
            throw fields.error("text", "is required unless photo is set")
        }
    }

    /// The draft of the message.
    package var draft: ChatOrder.Draft {
        ChatOrder.Draft(
            key: self.key,
            kind: self.photo == nil ? .text : .photo,
            text: self.text,
            photo: self.photo,
            replyTo: self.replyTo,
            mentions: self.mentions ?? []
        )
    }
}

/// Changes the text of the user's own message.
package struct ChatEdit: ClientRequest {
    package typealias Answer = MessageAnswer
    package static let type = "chat.edit"
    package static let order = RequestOrder.line("chat")
    package static let rate: RequestRate? = .chatChange

    package var room: RoomID
    package var seq: Int64
    package var text: String

    /// Creates a request.
    package init(_ seq: Int64, in room: RoomID, text: String) {
        self.room = room
        self.seq = seq
        self.text = text
    }

    package var ratedSubject: Int64? { self.room.rawValue }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("seq", fields.integer("seq", in: 1...Int64.max)),
            in: try fields.required("room", fields.identifier("room")),
            text: try fields.required("text", fields.text("text", ChatMessage.textRule))
        )
    }
}

/// Deletes the user's own message, or any message as the room's host.
package struct ChatDelete: ClientRequest {
    package typealias Answer = MessageAnswer
    package static let type = "chat.delete"
    package static let order = RequestOrder.line("chat")
    package static let rate: RequestRate? = .chatChange

    package var room: RoomID
    package var seq: Int64

    /// Creates a request.
    package init(_ seq: Int64, in room: RoomID) {
        self.room = room
        self.seq = seq
    }

    package var ratedSubject: Int64? { self.room.rawValue }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("seq", fields.integer("seq", in: 1...Int64.max)),
            in: try fields.required("room", fields.identifier("room"))
        )
    }
}
