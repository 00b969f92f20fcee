import MusterCore

/// A page of a room's messages.
struct RoomPage: Sendable, Equatable {
    var messages: [ChatMessage]
    /// Whether more messages follow in the direction of reading.
    var hasMore: Bool
    var epoch: String
    /// A version of the room that the page covers; for a page of changes, the version of the last one.
    var version: Int64
}

/// The position of a page in a room.
enum RoomSpan: Sendable, Equatable {
    /// The newest messages.
    case newest
    /// Messages before the given one.
    case before(Int64)
    /// Messages after the given one.
    case after(Int64)
    /// Messages on both sides of the given one.
    case around(Int64)
}

/// The read position of a user in a room.
struct RoomReadReceipt: Sendable, Equatable {
    var seq: Int64
    var unread: Int
    var mentions: Int
    /// Notifications about the room that are now marked as seen.
    var seen: [Int64]
}
