@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

extension GoldenFrames {
    private static let room = RoomID(81)
    private static let said = ChatMessage(
        seq: 533,
        version: 540,
        key: "c-1",
        from: UserProfile(id: UserID(7), name: "Ada"),
        at: now,
        text: "On my \"way\"\n",
        replyTo: 1,
        mentions: [UserID(9)]
    )
    private static let saidJSON =
        #"{"seq":533,"version":540,"key":"c-1","kind":"text","from":{"id":"7","name":"Ada"},"at":1732060800000,"#
        + #""text":"On my \"way\"\n","photo":null,"replyTo":1,"mentions":["9"],"editedAt":null,"deleted":false,"#
        + #""data":null}"#
    private static let erased = ChatMessage(seq: 2, version: 541, key: nil, from: nil, at: now, isDeleted: true)
    private static let erasedJSON = #"{"seq":2,"version":541,"from":null,"at":1732060800000,"deleted":true}"#
    private static let wish = ChatMessage(
        seq: 3,
        version: 3,
        key: "n12",
        kind: .wait,
        from: UserProfile(id: UserID(9), name: "Cy"),
        at: now,
        mentions: [UserID(7), UserID(8)],
        data: NotificationPayload([
            .init("gathering", .text("6001")), .init("eta", .integer(600)), .init("distance", .null),
        ])
    )
    private static let wishJSON =
        #"{"seq":3,"version":3,"key":"n12","kind":"wait","from":{"id":"9","name":"Cy"},"at":1732060800000,"#
        + #""text":null,"photo":null,"replyTo":null,"mentions":["7","8"],"editedAt":null,"deleted":false,"#
        + #""data":{"gathering":"6001","eta":600,"distance":null}}"#
    private static let view = RoomView(
        room: room,
        epoch: "k3f",
        version: 541,
        seq: 533,
        first: 1,
        read: 530,
        unread: 2,
        mentions: 1,
        muted: .mentions,
        slow: 10,
        last: nil
    )
    private static let viewJSON =
        #"{"room":"81","epoch":"k3f","version":541,"seq":533,"first":1,"read":530,"unread":2,"mentions":1,"#
        + #""muted":"mentions","slow":10,"last":null}"#

    private static let eventView = RoomView(
        room: RoomID(901),
        epoch: "k3f",
        version: 3,
        seq: 2,
        first: 1,
        read: 2,
        unread: 0,
        mentions: 0,
        muted: .none,
        slow: 0,
        last: nil,
        event: RoomView.Event(title: "Climbing at six", host: UserID(7), startsAt: now, revision: 4)
    )
    private static let eventViewJSON =
        #"{"room":"901","epoch":"k3f","version":3,"seq":2,"first":1,"read":2,"unread":0,"mentions":0,"muted":"none","#
        + #""slow":0,"last":null,"event":{"title":"Climbing at six","host":"7","startsAt":1732060800000}}"#

    /// Requests about rooms.
    static let chatRequests: [Golden<ClientFrame>] = [
        Golden(
            frame: .request(
                .number(30),
                ChatSend("On my way", in: room, key: "c-1", photo: PhotoID(5), replyTo: 1, mentions: [UserID(9)])
            ),
            json: #"{"type":"chat.send","id":30,"room":"81","key":"c-1","text":"On my way","photo":"5","#
                + #""replyTo":1,"mentions":["9"]}"#
        ),
        Golden(
            frame: .request(.number(31), ChatEdit(533, in: room, text: "Nearly there")),
            json: #"{"type":"chat.edit","id":31,"room":"81","seq":533,"text":"Nearly there"}"#
        ),
        Golden(
            frame: .request(.number(32), ChatDelete(533, in: room)),
            json: #"{"type":"chat.delete","id":32,"room":"81","seq":533}"#
        ),
        Golden(
            frame: .request(.number(33), ChatHistory(of: room, before: 500, limit: 50)),
            json: #"{"type":"chat.history","id":33,"room":"81","before":500,"limit":50}"#
        ),
        Golden(
            frame: .request(.number(34), ChatChanges(of: room, epoch: "k3f", after: 530)),
            json: #"{"type":"chat.changes","id":34,"room":"81","epoch":"k3f","after":530}"#
        ),
        Golden(
            frame: .request(.number(35), ChatRead(room, upTo: 533)),
            json: #"{"type":"chat.read","id":35,"room":"81","seq":533}"#
        ),
        Golden(frame: .request(nil, ChatFocus(room)), json: #"{"type":"chat.focus","room":"81"}"#),
        Golden(frame: .request(nil, ChatFocus(nil)), json: #"{"type":"chat.focus"}"#),
        Golden(frame: .request(nil, ChatTyping(in: room)), json: #"{"type":"chat.typing","room":"81"}"#),
        Golden(
            frame: .request(.number(36), RoomSet(room, muted: .all, slow: 10)),
            json: #"{"type":"room.set","id":36,"room":"81","muted":"all","slow":10}"#
        ),
        Golden(
            frame: .request(.number(37), GroupWait(GroupID(81), key: "n12", eta: 600)),
            json: #"{"type":"group.wait","id":37,"group":"81","key":"n12","eta":600}"#
        ),
        Golden(frame: .request(nil, UserBlock(UserID(9))), json: #"{"type":"user.block","user":"9"}"#),
        Golden(
            frame: .request(nil, UserBlock(UserID(9), invite: "hX4rT0pQ2mZk")),
            json: #"{"type":"user.block","user":"9","invite":"hX4rT0pQ2mZk"}"#
        ),
        Golden(
            frame: .request(nil, Report(.user, 9, invite: "hX4rT0pQ2mZk", reason: "Not nice")),
            json: #"{"type":"report","what":"user","subject":"9","invite":"hX4rT0pQ2mZk","reason":"Not nice"}"#
        ),
        Golden(frame: .request(nil, UserUnblock(UserID(9))), json: #"{"type":"user.unblock","user":"9"}"#),
        Golden(
            frame: .request(.number(40), Report(.message, 533, room: room, reason: "Not nice")),
            json: #"{"type":"report","id":40,"what":"message","subject":"533","room":"81","reason":"Not nice"}"#
        ),
    ]

    /// Encoded answers and pushes about rooms, and the expected JSON.
    static let chatAnswers: [Golden<[UInt8]>] = [
        Golden(
            frame: Frame.ok(.number(30), ChatSendAnswer(ChatOutcome(said, isRepeated: true))).encoded,
            json: #"{"type":"ok","id":30,"message":\#(saidJSON),"repeated":true}"#
        ),
        Golden(
            frame: Frame.ok(.number(32), MessageAnswer(erased)).encoded,
            json: #"{"type":"ok","id":32,"message":\#(erasedJSON)}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(33),
                ChatHistoryAnswer([said, erased], hasMore: true, epoch: "k3f", version: 541)
            ).encoded,
            json: #"{"type":"ok","id":33,"messages":[\#(saidJSON),\#(erasedJSON)],"more":true,"epoch":"k3f","#
                + #""version":541}"#
        ),
        Golden(
            frame: Frame.ok(.number(34), ChatChangesAnswer([], upTo: 541, hasMore: false)).encoded,
            json: #"{"type":"ok","id":34,"messages":[],"upTo":541,"more":false}"#
        ),
        Golden(
            frame: Frame.ok(.number(36), RoomAnswer(view)).encoded,
            json: #"{"type":"ok","id":36,"room":\#(viewJSON)}"#
        ),
        Golden(
            frame: Frame.ok(.number(37), GroupWaitAnswer(wish)).encoded,
            json: #"{"type":"ok","id":37,"message":\#(wishJSON),"told":2}"#
        ),
        Golden(
            frame: ChatFrames.chat(
                RoomAdvance(room: room, epoch: "k3f", after: 539, upTo: 541, revision: 9, messages: [said, erased])
            ).first ?? [],
            json: #"{"type":"chat","room":"81","epoch":"k3f","after":539,"upTo":541,"#
                + #""messages":[\#(saidJSON),\#(erasedJSON)]}"#
        ),
        Golden(
            frame: ChatFrames.gap(room, epoch: "k3f", upTo: 541),
            json: #"{"type":"chat_gap","room":"81","epoch":"k3f","upTo":541}"#
        ),
        Golden(
            frame: ChatFrames.rooms([view, eventView]).first ?? [],
            json: #"{"type":"rooms","rooms":[\#(viewJSON),\#(eventViewJSON)]}"#
        ),
        Golden(frame: ChatFrames.gone(room), json: #"{"type":"rooms","rooms":[{"room":"81","gone":true}]}"#),
        Golden(
            frame: ChatFrames.read(room, seq: 533, unread: 0, mentions: 0),
            json: #"{"type":"chat_read","room":"81","seq":533,"unread":0,"mentions":0}"#
        ),
        Golden(frame: ChatFrames.typing(room, [UserID(9)]), json: #"{"type":"typing","room":"81","users":["9"]}"#),
    ]
}
