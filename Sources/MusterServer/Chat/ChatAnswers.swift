import MusterCore
import MusterWire

/// A message as the members of its room see it.
///
/// A deleted message shows only its number, author and time.
struct MessageView: Encodable, Equatable, Sendable {
    private let message: ChatMessage

    /// Creates the view of a message.
    init(_ message: ChatMessage) { self.message = message }

    private enum Field: CodingKey {
        case seq
        case version
        case key
        case kind
        case from
        case at
        case text
        case photo
        case replyTo
        case mentions
        case editedAt
        case deleted
        case data
    }

    func encode(to encoder: any Encoder) throws {
        let message = self.message
        let from = Nullable(wrappedValue: message.from.map { PersonView($0) })
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(message.seq, forKey: .seq)
        try fields.encode(message.version, forKey: .version)
        guard !message.isDeleted else {
            try fields.encode(from, forKey: .from)
            try fields.encode(message.at, forKey: .at)
            return try fields.encode(true, forKey: .deleted)
        }
        try fields.encode(Nullable(wrappedValue: message.key), forKey: .key)
        try fields.encode(message.kind, forKey: .kind)
        try fields.encode(from, forKey: .from)
        try fields.encode(message.at, forKey: .at)
        try fields.encode(Nullable(wrappedValue: message.text), forKey: .text)
        try fields.encode(Nullable(wrappedValue: message.photo.map { PhotoView($0.photo) }), forKey: .photo)
        try fields.encode(Nullable(wrappedValue: message.replyTo), forKey: .replyTo)
        try fields.encode(message.mentions, forKey: .mentions)
        try fields.encode(Nullable(wrappedValue: message.editedAt), forKey: .editedAt)
        try fields.encode(false, forKey: .deleted)
        try fields.encode(Nullable(wrappedValue: message.data?.list), forKey: .data)
    }
}

/// The current message, and whether the request repeated an earlier one.
struct ChatSendAnswer: Encodable, Equatable, Sendable {
    private let message: MessageView
    private let repeated: Bool

    /// Creates the answer from the outcome of a send.
    init(_ outcome: ChatOutcome) {
        self.message = MessageView(outcome.message)
        self.repeated = outcome.isRepeated
    }
}

/// The current message.
struct MessageAnswer: Encodable, Equatable, Sendable {
    private let message: MessageView

    /// Creates the answer for a message.
    init(_ message: ChatMessage) { self.message = MessageView(message) }
}

/// Messages in ascending order of their numbers.
struct ChatHistoryAnswer: Encodable, Equatable, Sendable {
    private let messages: [MessageView]
    private let more: Bool
    private let epoch: String
    private let version: Int64

    /// Creates the answer for a page of a room.
    init(_ messages: [ChatMessage], hasMore: Bool, epoch: String, version: Int64) {
        self.messages = messages.map { MessageView($0) }
        self.more = hasMore
        self.epoch = epoch
        self.version = version
    }
}

/// Messages in ascending order of their versions.
struct ChatChangesAnswer: Encodable, Equatable, Sendable {
    private let messages: [MessageView]
    private let upTo: Int64
    private let more: Bool

    /// Creates the answer for the changes up to a version.
    init(_ messages: [ChatMessage], upTo version: Int64, hasMore: Bool) {
        self.messages = messages.map { MessageView($0) }
        self.upTo = version
        self.more = hasMore
    }
}

/// The number of unread messages.
struct ChatReadAnswer: Encodable, Equatable, Sendable {
    private let unread: Int

    /// Creates the answer.
    init(unread: Int) { self.unread = unread }
}

/// A room with the state of one member.
struct RoomStatus: Encodable, Equatable, Sendable {
    private let room: RoomID
    private let epoch: String
    private let version: Int64
    private let seq: Int64
    private let first: Int64
    private let read: Int64
    private let unread: Int
    private let mentions: Int
    private let muted: RoomMute
    private let slow: Int
    @Nullable private var last: MessageView?
    /// Nil, and not encoded, for the room of a group.
    private let event: RoomEventView?

    /// Creates the status from a room's view.
    init(_ view: RoomView) {
        self.room = view.room
        self.epoch = view.epoch
        self.version = view.version
        self.seq = view.seq
        self.first = view.first
        self.read = view.read
        self.unread = view.unread
        self.mentions = view.mentions
        self.muted = view.muted
        self.slow = view.slow
        self.last = view.last.map { MessageView($0) }
        self.event = view.event.map { RoomEventView(title: $0.title, host: $0.host, startsAt: $0.startsAt) }
    }
}

/// The event of a room, in the short form for lists of rooms.
private struct RoomEventView: Encodable, Equatable, Sendable {
    let title: String
    let host: UserID
    let startsAt: Timestamp
}

/// The current room.
struct RoomAnswer: Encodable, Equatable, Sendable {
    private let room: RoomStatus

    /// Creates the answer for a room.
    init(_ view: RoomView) { self.room = RoomStatus(view) }
}

/// The wait message, and the number of notified members.
struct GroupWaitAnswer: Encodable, Equatable, Sendable {
    private let message: MessageView
    private let told: Int

    /// Creates the answer for a wait message.
    init(_ message: ChatMessage) {
        self.message = MessageView(message)
        self.told = message.mentions.count
    }
}
