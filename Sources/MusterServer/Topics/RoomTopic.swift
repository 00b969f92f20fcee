import MusterCore
import MusterWire
package import WebSocketGateway

/// A room as a topic of the gateway: a log of messages, by their numbers, of which a mirror keeps the tail.
package struct RoomTopic: TopicKind {
    /// The number of this kind.
    static let kind: UInt8 = 2
    /// What a mirror keeps.
    private static let tail = TopicRules.Memory.tail(entries: 64, bytes: 32_768, milliseconds: 60_000)

    /// Messages wait for nothing.
    package let rules = TopicRules(memory: Self.tail, pacing: .atOnce)

    /// The topic of a room.
    static func id(_ room: RoomID) -> TopicID { TopicID(kind: Self.kind, key: room.rawValue) }

    /// A room of which nothing is mirrored but how far it is.
    static func snapshot(_ room: RoomID, epoch: String, version: Int64) -> TopicSnapshot {
        TopicSnapshot(
            id: Self.id(room),
            epoch: epoch,
            version: UInt64(version),
            entries: [],
            floor: UInt64(version)
        )
    }

    /// A step of a room, encoded.
    static func change(_ advance: RoomAdvance) -> TopicChange {
        TopicChange(
            topic: Self.id(advance.room),
            version: UInt64(advance.upTo),
            entries: advance.messages.map { message in
                TopicChange.Entry(key: message.seq, stable: ChatFrames.message(message))
            }
        )
    }

    package func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        let gap = ChatFrames.gap(RoomID(topic.id.key), epoch: topic.epoch, upTo: Int64(topic.version))
        frame.append(contentsOf: gap)
    }

    package func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        ChatFrames.beginChat(
            RoomID(topic.id.key),
            topic.epoch,
            after: Int64(cursor.version),
            upTo: Int64(topic.version),
            to: &frame
        )
        // Also when there is nothing that they may see, so that their own version rises.
        topic.forEachEntry(after: cursor) { _, message, _ in ChatFrames.appendMessage(message, to: &frame) }
        ChatFrames.endChat(&frame)
        return true
    }
}

/// Who writes in a room, as a topic of the gateway for those who look at it: the newest is all that counts.
package struct TypingTopic: TopicKind {
    /// The number of this kind.
    static let kind: UInt8 = 3
    private static let epoch = "t"
    private static let key: Int64 = 1

    /// Nobody who was away need know.
    package let rules = TopicRules(pacing: .newestOnly)

    /// The topic of a room.
    static func id(_ room: RoomID) -> TopicID { TopicID(kind: Self.kind, key: room.rawValue) }

    /// A room in which nobody writes.
    static func snapshot(_ room: RoomID) -> TopicSnapshot {
        TopicSnapshot(id: Self.id(room), epoch: Self.epoch, version: 0, entries: [])
    }

    /// Who writes from now on.
    static func change(_ room: RoomID, _ users: [UserID], number: Int64) -> TopicChange {
        TopicChange(
            topic: Self.id(room),
            version: UInt64(number),
            entries: [TopicChange.Entry(key: Self.key, stable: ChatFrames.typing(room, users))]
        )
    }

    package func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        _ = self.appendUpdate(topic, for: cursor, to: &frame)
    }

    package func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        topic.forEachEntry(after: cursor) { _, typing, _ in frame.append(contentsOf: typing) }
    }
}
