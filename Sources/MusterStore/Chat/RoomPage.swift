package import MusterCore

/// Some messages of a room.
package struct RoomPage: Sendable, Equatable {
    package var messages: [ChatMessage]
    /// Whether there are more in the direction in which they were read.
    package var hasMore: Bool
    package var epoch: String
    /// The version of the room that the page is not older than; of changes, up to where they reach.
    package var version: Int64
}

/// Where a page of a room's messages is.
package enum RoomSpan: Sendable, Equatable {
    /// The newest.
    case newest
    /// Those before a message.
    case before(Int64)
    /// Those after a message.
    case after(Int64)
    /// Those on both sides of a message.
    case around(Int64)
}

/// How much of a room somebody has read.
package struct RoomReadMark: Sendable, Equatable {
    package var seq: Int64
    package var unread: Int
    package var mentions: Int
    /// Their notifications about the room that need not be shown any more.
    package var seen: [Int64]
}
