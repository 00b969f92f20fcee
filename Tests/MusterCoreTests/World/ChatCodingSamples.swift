import MusterCore

/// One sample of each message about rooms between the world and other components.
enum ChatCodingSamples {
    private static let session = SessionID(1)
    private static let room = RoomID(81)
    private static let message = ChatMessage(
        seq: 3,
        version: 5,
        key: "k",
        kind: .wait,
        from: UserProfile(id: UserID(7), name: "Ada"),
        at: Timestamp(milliseconds: 9),
        text: "Hello",
        replyTo: 1,
        mentions: [UserID(8)],
        editedAt: Timestamp(milliseconds: 10),
        data: NotificationPayload([.init("eta", .integer(600))])
    )
    static let advance = RoomAdvance(
        room: room,
        epoch: "e",
        after: 4,
        upTo: 5,
        revision: 2,
        messages: [message]
    )
    private static let view = RoomView(
        room: room,
        epoch: "e",
        version: 5,
        seq: 3,
        first: 1,
        read: 2,
        unread: 1,
        mentions: 1,
        muted: .mentions,
        slow: 10,
        last: message,
        event: RoomView.Event(title: "Climbing", host: UserID(7), startsAt: Timestamp(milliseconds: 5), revision: 3)
    )
    static let query = RoomsQuery(
        session: session,
        user: UserID(7),
        rooms: [room],
        resume: [room: RoomPosition(epoch: "e", version: 4, read: 2)]
    )

    static let read = RoomsRead(rooms: [view], changes: [advance], others: [room])

    static let inputs: [ChatInput] = [
        .advanced([advance]), .notified(UserID(7), except: session, frame: [1]), .seen(UserID(7), [3]),
        .blocked(UserID(7), other: UserID(8), true), .changed(room), .suspected([room]), .suspected(nil),
        .focused(session, .number(1), room), .focused(session, nil, nil), .typed(session, nil, room),
    ]

    static let effects: [ChatEffect] = [
        .rooms(session, [view]), .gone([session], room), .missed(session, advance),
        .gap(session, room, epoch: "e", upTo: 5),
        .follow(session, room, epoch: "e", version: 5, from: 4, first: 1), .unfollow(session, room),
        .advanced(advance), .closed(room), .subscribeToTyping(session, room), .unsubscribeFromTyping(session, room),
        .typing(room, [UserID(7)], number: 2),
        .say(room, key: "g", NotificationPayload([]), at: Timestamp(milliseconds: 1)), .wentAway(UserID(7)),
        .done(session, .number(1)),
    ]
}
