/// A request to write in a room.
package struct ChatOrder: Sendable, Equatable {
    /// The content of a new message.
    package struct Draft: Sendable, Equatable {
        /// The deduplication key.
        package var key: String
        package var kind: ChatMessage.Kind
        package var text: String?
        package var photo: PhotoID?
        package var replyTo: Int64?
        package var mentions: [UserID]
        package var data: NotificationPayload?

        /// Creates a draft.
        package init(
            key: String,
            kind: ChatMessage.Kind = .text,
            text: String? = nil,
            photo: PhotoID? = nil,
            replyTo: Int64? = nil,
            mentions: [UserID] = [],
            data: NotificationPayload? = nil
        ) {
            self.key = key
            self.kind = kind
            self.text = text
            self.photo = photo
            self.replyTo = replyTo
            self.mentions = mentions
            self.data = data
        }
    }

    /// The action of a request.
    package enum Action: Sendable, Equatable {
        case send(Draft)
        case edit(Int64, text: String)
        case delete(Int64)
        /// A system message, once per key; it needs no permission.
        case say(key: String, NotificationPayload)
    }

    package var room: RoomID
    /// The requester; nil for the server.
    package var author: UserID?
    package var action: Action
    package var at: Timestamp

    /// Creates a request.
    package init(_ action: Action, in room: RoomID, by author: UserID?, at: Timestamp) {
        self.room = room
        self.author = author
        self.action = action
        self.at = at
    }
}

/// The reason for refusing a request.
package enum ChatRefusal: Error, Sendable, Equatable {
    /// The requester is not a member of the room.
    case notMember
    /// The message does not exist, or the requester may not read it.
    case noMessage
    /// The message belongs to another user.
    case notOwn
    /// The message was deleted.
    case deleted
    /// The message is too old to be edited, or has no text.
    case notEditable
    /// A field refers to an object that does not exist, or is not in this room.
    case field(String)
    /// The photo belongs to another user, or is used already.
    case photo
    /// Slow mode: the remaining time is in milliseconds.
    case slow(retryAfter: Int64)
    /// The requester sent a wait request recently: the remaining time is in milliseconds.
    case waited(retryAfter: Int64)
}

/// The outcome of a request.
package struct ChatOutcome: Sendable, Equatable {
    /// The current state of the message.
    package var message: ChatMessage
    /// Whether the message existed already.
    package var isRepeated: Bool

    /// Creates an outcome.
    package init(_ message: ChatMessage, isRepeated: Bool = false) {
        self.message = message
        self.isRepeated = isRepeated
    }
}
