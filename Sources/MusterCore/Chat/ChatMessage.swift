/// The current state of a message in a room.
package struct ChatMessage: Sendable, Equatable {
    /// The kind of a message.
    package enum Kind: String, Sendable, CaseIterable, Encodable {
        case text
        case photo
        /// A request to the members who are together to wait for the author.
        case wait
        /// A system message.
        case system
    }

    /// A photo in a message.
    package struct Picture: Sendable, Equatable {
        package var id: PhotoID
        package var url: String
        package var thumb: String
        package var width: Int
        package var height: Int

        /// Creates a picture of a photo.
        package init(_ photo: Photo) {
            self.id = photo.id
            self.url = photo.url
            self.thumb = photo.thumb
            self.width = photo.width
            self.height = photo.height
        }

        /// The photo.
        package var photo: Photo {
            Photo(id: self.id, url: self.url, thumb: self.thumb, width: self.width, height: self.height)
        }
    }

    /// The rule for message texts.
    package static let textRule = TextRule.lines(1...4_000)
    /// The maximum number of mentions.
    package static let mostMentions = 20
    /// The time for which a text can be edited, in milliseconds.
    static let editable: Int64 = 86_400_000
    /// The minimum time between two wait requests of a user in a room, in milliseconds.
    static let waitPause: Int64 = 300_000
    /// The permitted length of a key.
    package static let keyLength = 1...64

    /// The sequence number in the room: 1, 2, 3 and so on.
    package var seq: Int64
    /// The room's version at the last change of the message.
    package var version: Int64
    /// The deduplication key.
    package var key: String?
    package var kind: Kind
    /// The author, or the subject of a system message; nil when their account was deleted.
    package var from: UserProfile?
    package var at: Timestamp
    package var text: String?
    package var photo: Picture?
    /// The message that it replies to.
    package var replyTo: Int64?
    package var mentions: [UserID]
    package var editedAt: Timestamp?
    package var isDeleted: Bool
    /// The payload of wait requests and system messages.
    package var data: NotificationPayload?

    /// Creates a message.
    package init(
        seq: Int64,
        version: Int64,
        key: String?,
        kind: Kind = .text,
        from: UserProfile?,
        at: Timestamp,
        text: String? = nil,
        photo: Picture? = nil,
        replyTo: Int64? = nil,
        mentions: [UserID] = [],
        editedAt: Timestamp? = nil,
        isDeleted: Bool = false,
        data: NotificationPayload? = nil
    ) {
        self.seq = seq
        self.version = version
        self.key = key
        self.kind = kind
        self.from = from
        self.at = at
        self.text = text
        self.photo = photo
        self.replyTo = replyTo
        self.mentions = mentions
        self.editedAt = editedAt
        self.isDeleted = isDeleted
        self.data = data
    }

    /// Whether it counts as unread for other members.
    package var counts: Bool { !self.isDeleted && self.kind != .system }

    /// Removes the content; only the deleted message's metadata stays.
    mutating func erase() {
        self.isDeleted = true
        self.text = nil
        self.photo = nil
        self.replyTo = nil
        self.mentions = []
        self.editedAt = nil
        self.data = nil
    }
}
