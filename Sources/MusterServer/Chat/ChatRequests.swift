import MusterCore
import MusterWire

/// Sends a message to a room, at most once for each key.
struct ChatSend: ClientRequest {
    typealias Answer = ChatSendAnswer
    static let type = "chat.send"
    static let order = RequestOrder.line("chat")
    static let rate: RequestRate? = .chatSend

    var room: RoomID
    /// The idempotency key.
    var key: String
    var text: String?
    var photo: PhotoID?
    var replyTo: Int64?
    var mentions: [UserID]?

    /// Creates a request.
    init(
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

    init(reading fields: JSONFields) throws(FrameError) {
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
    var draft: ChatOrder.Draft {
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
struct ChatEdit: ClientRequest {
    typealias Answer = MessageAnswer
    static let type = "chat.edit"
    static let order = RequestOrder.line("chat")
    static let rate: RequestRate? = .chatChange

    var room: RoomID
    var seq: Int64
    var text: String

    /// Creates a request.
    init(_ seq: Int64, in room: RoomID, text: String) {
        self.room = room
        self.seq = seq
        self.text = text
    }

    var ratedSubject: Int64? { self.room.rawValue }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("seq", fields.integer("seq", in: 1...Int64.max)),
            in: try fields.required("room", fields.identifier("room")),
            text: try fields.required("text", fields.text("text", ChatMessage.textRule))
        )
    }
}

/// Deletes the user's own message, or any message as the room's host.
struct ChatDelete: ClientRequest {
    typealias Answer = MessageAnswer
    static let type = "chat.delete"
    static let order = RequestOrder.line("chat")
    static let rate: RequestRate? = .chatChange

    var room: RoomID
    var seq: Int64

    /// Creates a request.
    init(_ seq: Int64, in room: RoomID) {
        self.room = room
        self.seq = seq
    }

    var ratedSubject: Int64? { self.room.rawValue }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("seq", fields.integer("seq", in: 1...Int64.max)),
            in: try fields.required("room", fields.identifier("room"))
        )
    }
}
