import MusterCore
import MusterWire
import WebSocketGateway

/// A room as a topic of the gateway: a log of messages by number, whose tail a mirror keeps.
struct RoomTopic: TopicKind {
    /// The number of this kind.
    static let kind: UInt8 = 2
    /// The part of the log that a mirror keeps.
    private static let tail = TopicRules.Memory.tail(entries: 64, bytes: 32_768, milliseconds: 60_000)

    /// Messages are sent without delay.
    let rules = TopicRules(memory: Self.tail, pacing: .atOnce)

    /// The topic of a room.
    static func id(_ room: RoomID) -> TopicID { TopicID(kind: Self.kind, key: room.rawValue) }

    /// A snapshot with the version of a room and no messages.
    static func snapshot(_ room: RoomID, epoch: String, version: Int64) -> TopicSnapshot {
        TopicSnapshot(
            id: Self.id(room),
            epoch: epoch,
            version: UInt64(version),
            entries: [],
            floor: UInt64(version)
        )
    }

    /// The encoded change of a room.
    static func change(_ advance: RoomAdvance) -> TopicChange {
        TopicChange(
            topic: Self.id(advance.room),
            version: UInt64(advance.upTo),
            entries: advance.messages.map { message in
                TopicChange.Entry(key: message.seq, stable: ChatFrames.message(message))
            }
        )
    }

    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        let gap = ChatFrames.gap(RoomID(topic.id.key), epoch: topic.epoch, upTo: Int64(topic.version))
        frame.append(contentsOf: gap)
    }

    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        ChatFrames.beginChat(
            RoomID(topic.id.key),
            topic.epoch,
            after: Int64(cursor.version),
            upTo: Int64(topic.version),
            to: &frame
        )
        // The frame is also sent without any visible message, so that the client's version advances.
        topic.forEachEntry(after: cursor) { _, message, _ in ChatFrames.appendMessage(message, to: &frame) }
        ChatFrames.endChat(&frame)
        return true
    }
}

/// The users who are typing in a room, as a topic of the gateway for sessions that view the room.
///
/// Only the newest value counts.
struct TypingTopic: TopicKind {
    /// The number of this kind.
    static let kind: UInt8 = 3
    private static let epoch = "t"
    private static let key: Int64 = 1

    /// A client that was offline does not need past values.
    let rules = TopicRules(pacing: .newestOnly)

    /// The topic of a room.
    static func id(_ room: RoomID) -> TopicID { TopicID(kind: Self.kind, key: room.rawValue) }

    /// A snapshot without typing users.
    static func snapshot(_ room: RoomID) -> TopicSnapshot {
        TopicSnapshot(id: Self.id(room), epoch: Self.epoch, version: 0, entries: [])
    }

    /// The change to a new list of typing users.
    static func change(_ room: RoomID, _ users: [UserID], number: Int64) -> TopicChange {
        TopicChange(
            topic: Self.id(room),
            version: UInt64(number),
            entries: [TopicChange.Entry(key: Self.key, stable: ChatFrames.typing(room, users))]
        )
    }

    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        _ = self.appendUpdate(topic, for: cursor, to: &frame)
    }

    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        topic.forEachEntry(after: cursor) { _, typing, _ in frame.append(contentsOf: typing) }
    }
}
