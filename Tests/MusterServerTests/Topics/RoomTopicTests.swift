import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import WebSocketGateway

@Suite("A room as a topic") struct RoomTopicTests {
    private static let room = RoomID(81)

    private static func message(_ seq: Int64, version: Int64, _ text: String = "m") -> ChatMessage {
        ChatMessage(seq: seq, version: version, key: "k", from: nil, at: Timestamp(milliseconds: 1), text: text)
    }

    private static func advance(_ after: Int64, _ messages: [ChatMessage]) -> RoomAdvance {
        RoomAdvance(
            room: self.room,
            epoch: "e",
            after: after,
            upTo: messages.last?.version ?? after,
            revision: 1,
            messages: messages
        )
    }

    private static func topic() -> Topic {
        Topic(RoomTopic.snapshot(self.room, epoch: "e", version: 4), rules: RoomTopic().rules)
    }

    private static func update(_ topic: Topic, _ cursor: TopicCursor) -> JSONDocument? {
        var frame: [UInt8] = []
        _ = RoomTopic().appendUpdate(topic, for: cursor, to: &frame)
        return try? JSONDocument(frame)
    }

    @Test("brings each from where they are to where the room is, an edited message once")
    func update() throws {
        var topic = Self.topic()
        let first = Self.advance(4, [Self.message(3, version: 5), Self.message(4, version: 6)])
        topic.apply(RoomTopic.change(first))
        topic.apply(RoomTopic.change(Self.advance(6, [Self.message(3, version: 7, "edited")])))
        let frame = try #require(Self.update(topic, TopicCursor(version: 4)))
        #expect(frame["after"].int == 4)
        #expect(frame["upTo"].int == 7)
        #expect(frame["messages"].elements.map { $0["seq"].int } == [4, 3])
        #expect(frame["messages"][1]["text"].string == "edited")
        let rest = try #require(Self.update(topic, TopicCursor(version: 6)))
        #expect(rest["after"].int == 6)
        #expect(rest["messages"].count == 1)
    }

    @Test("a newcomer sees no older message, edited or not, and their version rises all the same")
    func newcomer() throws {
        var topic = Self.topic()
        topic.apply(RoomTopic.change(Self.advance(4, [Self.message(2, version: 5, "secret")])))
        let frame = try #require(Self.update(topic, TopicCursor(version: 4, lowestKey: 4)))
        #expect(frame["messages"].count == 0)
        #expect(frame["upTo"].int == 5)
    }

    @Test("who has fallen behind what is kept is told of a gap and of nothing else")
    func gap() throws {
        var topic = Self.topic()
        for number in 0..<70 {
            let message = Self.message(Int64(number) + 3, version: Int64(number) + 5)
            topic.apply(RoomTopic.change(Self.advance(message.version - 1, [message])))
        }
        #expect(topic.floor > 4)
        #expect(topic.entries.count <= 64)
        var frame: [UInt8] = []
        RoomTopic().appendReset(topic, for: TopicCursor(version: 4), to: &frame)
        #expect(String(decoding: frame, as: UTF8.self) == #"{"type":"chat_gap","room":"81","epoch":"e","upTo":74}"#)
    }

    @Test(
        "frames of what was missed stay within what one may bring, whatever their messages are made of",
        arguments: ["ä", "\u{1F9D7}", "\n", "\""]
    )
    func parts(letter: String) throws {
        let name = String(repeating: "\u{1F9D7}", count: 80)
        let everybody = (0..<249).map { UserID(9_000_000_000_000_000 + $0) }
        let messages = (1...Int64(120)).map { number in
            var message = Self.message(
                number,
                version: number,
                String(repeating: letter, count: number % 3 == 0 ? 4_000 : 9)
            )
            message.from = UserProfile(id: UserID(7), name: name)
            message.mentions = Array(everybody.prefix(20))
            if number % 7 == 0 {
                message.kind = .wait
                message.mentions = everybody
            }
            return message
        }
        let frames = ChatFrames.chat(Self.advance(0, messages))
        #expect(frames.allSatisfy { $0.count <= 49_152 })
        let read = try frames.map { try #require(try? JSONDocument($0)) }
        #expect(read.flatMap { $0["messages"].elements.compactMap { $0["seq"].int } } == Array(1...Int64(120)))
        #expect(read.first?["after"].int == 0 && read.last?["upTo"].int == 120)
        for (earlier, later) in zip(read, read.dropFirst()) { #expect(later["after"].int == earlier["upTo"].int) }
        #expect(frames.count < 60, "frames are filled")
        let empty = ChatFrames.chat(Self.advance(7, []))
        #expect(empty.count == 1)
    }
}
