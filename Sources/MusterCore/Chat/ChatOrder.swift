/// What somebody wants to have written in a room.
package struct ChatOrder: Sendable, Equatable {
    /// What a message is to say.
    package struct Draft: Sendable, Equatable {
        /// What a repeat is known by.
        package var key: String
        package var kind: ChatMessage.Kind
        package var text: String?
        package var photo: PhotoID?
        package var replyTo: Int64?
        package var mentions: [UserID]
        package var data: NotificationPayload?

        /// Describes a message.
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

    /// What is to be done.
    package enum Action: Sendable, Equatable {
        case send(Draft)
        case edit(Int64, text: String)
        case delete(Int64)
        /// The server says something, once for a key; it needs no right.
        case say(key: String, NotificationPayload)
    }

    package var room: RoomID
    /// Who wants it; nil for the server.
    package var author: UserID?
    package var action: Action
    package var at: Timestamp

    /// Describes an order.
    package init(_ action: Action, in room: RoomID, by author: UserID?, at: Timestamp) {
        self.room = room
        self.author = author
        self.action = action
        self.at = at
    }
}

/// Why an order is refused.
package enum ChatRefusal: Error, Sendable, Equatable {
    /// They are not in the room.
    case notMember
    /// There is no such message that they may read.
    case noMessage
    /// It is another's.
    case notOwn
    /// It was deleted.
    case deleted
    /// It is too old to be changed, or has no words.
    case notEditable
    /// A field names something that is not there, or not in this room.
    case field(String)
    /// The photo is not theirs, or something uses it already.
    case photo
    /// The room is slow: so many milliseconds are left.
    case slow(retryAfter: Int64)
    /// They have asked others to wait a moment ago: so many milliseconds are left.
    case waited(retryAfter: Int64)
}

/// What became of an order.
package struct ChatOutcome: Sendable, Equatable {
    /// The message as it is now.
    package var message: ChatMessage
    /// Whether it was there already.
    package var isRepeated: Bool

    /// Describes an outcome.
    package init(_ message: ChatMessage, isRepeated: Bool = false) {
        self.message = message
        self.isRepeated = isRepeated
    }
}
