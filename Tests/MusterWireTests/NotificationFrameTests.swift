import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("Frames of notifications") struct NotificationFrameTests {
    private static func frame(_ content: NotificationContent, isLate: Bool = false) -> String {
        let notification = NumberedNotification(user: UserID(7), number: 3, content: content)
        return String(decoding: ServerFrame.notification(notification, isLate: isLate).encoded, as: UTF8.self)
    }

    private static let at = Timestamp(milliseconds: 1_732_060_800_000)

    @Test("a kind that chooses no order has its head first, then the payload as it is")
    func head() {
        let payload = NotificationPayload([
            .init("room", .text("9")), .init("late", .text("the head's")),
            .init("from", .object([.init("id", .user(UserID(8)))])),
            .init("items", .list([.integer(1), .number(0.00005), .null, .bool(true), .list([]), .object([])])),
        ])
        let about = NotificationContent(
            kind: "mention",
            group: GroupID(81),
            groupName: "A",
            at: Self.at,
            payload: payload
        )
        #expect(
            Self.frame(about, isLate: true)
                == #"{"type":"mention","notification":3,"at":1732060800000,"late":true,"group":"81","groupName":"A","#
                + #""room":"9","from":{"id":"8"},"items":[1,0.00005,null,true,[],{}]}"#
        )
        let none = NotificationContent(kind: "mention", groupName: "nobody's", at: Self.at)
        #expect(Self.frame(none) == #"{"type":"mention","notification":3,"at":1732060800000,"late":false}"#)
    }

    @Test("what storage kept of a payload is what was given to it")
    func storage() throws {
        let payload = GoldenFrames.alert.content.payload
        let read = NotificationPayload(try JSONDocument(payload.json).root)
        #expect(read.json == payload.json)
        #expect(read["distance"]?.number == 2140)
        #expect(read["place"]?["lat"] == .number(40.7128))
        #expect(read["together"] != nil && read["nothing"] == nil)
        let odd = #"{"a":[],"b":{},"c":null,"d":-1.5,"e":"\"","f":[{"g":9007199254740993}]}"#
        #expect(
            String(decoding: NotificationPayload(try JSONDocument(Array(odd.utf8)).root).json, as: UTF8.self) == odd
        )
    }

    @Test("a number that JSON cannot say becomes null")
    func notANumber() {
        let payload = NotificationPayload([.init("distance", .number(.nan))])
        #expect(String(decoding: payload.json, as: UTF8.self) == #"{"distance":null}"#)
    }
}
