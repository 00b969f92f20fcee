package import MusterCore

/// A page of a room's messages.
package struct RoomPage: Sendable, Equatable {
    package var messages: [ChatMessage]
    /// Whether more messages follow in the direction of reading.
    package var hasMore: Bool
    package var epoch: String
    /// A version of the room that the page covers; for a page of changes, the version of the last one.
    package var version: Int64
}

/// The position of a page in a room.
package enum RoomSpan: Sendable, Equatable {
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
package struct RoomReadReceipt: Sendable, Equatable {
    package var seq: Int64
    package var unread: Int
    package var mentions: Int
    /// Notifications about the room that are now marked as seen.
    package var seen: [Int64]
}
