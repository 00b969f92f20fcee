/// One message of a room, as it is now.
package struct ChatMessage: Sendable, Equatable, Codable {
    /// What kind of message.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case text
        case photo
        /// Somebody asks those who are together to wait.
        case wait
        /// The server says it.
        case system
    }

    /// A photo that a message shows.
    package struct Picture: Sendable, Equatable, Codable {
        package var id: PhotoID
        package var url: String
        package var thumb: String
        package var width: Int
        package var height: Int

        /// Shows a photo.
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

    /// What the words of a message must be.
    package static let textRule = TextRule.lines(1...4_000)
    /// The most people whom a message can call.
    package static let mostMentions = 20
    /// For how long words can be changed, in milliseconds.
    package static let editable: Int64 = 86_400_000
    /// The least time between two wishes of a person in a room that others wait, in milliseconds.
    package static let waitPause: Int64 = 300_000
    /// How many characters a key may have.
    package static let keyLength = 1...64

    /// Its place in the room: 1, 2, 3 and so on.
    package var seq: Int64
    /// The room's version when it was last changed.
    package var version: Int64
    /// What a repeat is known by.
    package var key: String?
    package var kind: Kind
    /// Who said it, or whom the server's message is about; nil when their account is gone.
    package var from: UserProfile?
    package var at: Timestamp
    package var text: String?
    package var photo: Picture?
    /// The message that it answers.
    package var replyTo: Int64?
    package var mentions: [UserID]
    package var editedAt: Timestamp?
    package var isDeleted: Bool
    /// What a wish to wait and the server's messages say.
    package var data: NotificationPayload?

    /// Describes a message.
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

    /// Whether it counts as something to be read.
    package var counts: Bool { !self.isDeleted && self.kind != .system }

    /// Takes all words away, and leaves that there was a message.
    package mutating func erase() {
        self.isDeleted = true
        self.text = nil
        self.photo = nil
        self.replyTo = nil
        self.mentions = []
        self.editedAt = nil
        self.data = nil
    }
}
