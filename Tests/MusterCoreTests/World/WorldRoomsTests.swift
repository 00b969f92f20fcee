import Testing

@testable import MusterCore

/// Rooms of the world, with a storage that answers when the test lets it.
@Suite("Rooms in the world") struct WorldRoomsTests {
    private static let room = RoomID(1)

    private static func opening(_ session: Int64, user: Int64, rooms: [RoomID: RoomPosition]? = [:]) -> SessionOpening {
        var opening = WorldUnderTest.opening(session, user: user, groups: [1])
        opening.rooms = rooms
        return opening
    }

    private static func message(_ seq: Int64, version: Int64? = nil, by user: Int64 = 8) -> ChatMessage {
        ChatMessage(
            seq: seq,
            version: version ?? seq,
            key: "k\(seq)",
            from: WorldUnderTest.profile(user),
            at: WorldUnderTest.start,
            text: "m\(seq)"
        )
    }

    private static func advance(_ after: Int64, _ upTo: Int64, revision: Int64 = 1, epoch: String = "e") -> RoomAdvance
    {
        RoomAdvance(
            room: self.room,
            epoch: epoch,
            after: after,
            upTo: upTo,
            revision: revision,
            messages: upTo > after ? ((after + 1)...upTo).map { self.message($0) } : []
        )
    }

    private static func view(_ version: Int64, first: Int64 = 1, epoch: String = "e") -> RoomView {
        RoomView(
            room: self.room,
            epoch: epoch,
            version: version,
            seq: version,
            first: first,
            read: 0,
            unread: 0,
            mentions: 0,
            muted: .none,
            slow: 0,
            last: nil
        )
    }

    /// Users 7 and 8 in group 1.
    ///
    /// 7 supports rooms and follows the room from version 4 on.
    private static func town() -> WorldUnderTest {
        var test = WorldUnderTest()
        test.open(8, user: 8, members: [1: [7, 8]])
        test.iterate(.sessionOpened(self.opening(7, user: 7)))
        guard let query = test.effects.roomQueries.first else { return test }
        test.iterate(.answered(.rooms(query), .rooms(RoomsRead(rooms: [self.view(4)], changes: []))))
        return test
    }

    @Test("a client that knows no rooms is told nothing of them")
    func ignorant() {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8]])
        #expect(test.effects.chat.isEmpty && test.effects.questions == [.group(GroupID(1))])
        test.iterate(.chat(.advanced([Self.advance(4, 5)])))
        #expect(test.effects.chat.isEmpty && test.effects.questions.isEmpty)
        test.iterate(.chat(.notified(UserID(7), except: nil, frame: [1])))
        #expect(test.effects.isEmpty)
    }

    @Test("who says hello is told how rooms are, follows from there, and hears of each change once and in order")
    func follows() {
        var test = Self.town()
        #expect(
            test.effects.chat.map { String(reflecting: $0) }
                == [
                    ChatEffect.rooms(SessionID(7), [Self.view(4)]),
                    .follow(SessionID(7), Self.room, epoch: "e", version: 4, from: 4, first: 1),
                ].map { String(reflecting: $0) }
        )
        #expect(test.effects.questions.isEmpty)
        test.iterate(.chat(.advanced([Self.advance(4, 6)])))
        #expect(test.effects.advances == [Self.advance(4, 6)])
        test.iterate(.chat(.advanced([Self.advance(4, 6)])))
        #expect(test.effects.advances.isEmpty)
        test.iterate(.chat(.advanced([Self.advance(5, 8)])))
        #expect(test.effects.advances == [Self.advance(6, 8)])
    }

    @Test("a hole is read from storage, also when nothing comes behind it")
    func hole() {
        var test = Self.town()
        test.iterate(.chat(.advanced([Self.advance(5, 6)])))
        #expect(test.effects.advances.isEmpty)
        #expect(test.effects.reads == [4])
        // Another advance arrives, and then storage answers with the older state.
        test.iterate(.chat(.advanced([Self.advance(6, 7)])))
        #expect(test.effects.reads.isEmpty)
        test.iterate(.roomRead(Self.advance(4, 6)))
        #expect(test.effects.advances == [Self.advance(4, 6)])
        #expect(test.effects.reads == [6])
        test.iterate(.roomRead(Self.advance(6, 7)))
        #expect(test.effects.advances == [Self.advance(6, 7)])
        #expect(test.effects.reads.isEmpty)
    }

    @Test("what is committed while somebody's rooms are read is not missed")
    func committedMeanwhile() {
        var test = WorldUnderTest()
        test.open(8, user: 8, members: [1: [7, 8]])
        test.iterate(.sessionOpened(Self.opening(7, user: 7)))
        let query = test.effects.roomQueries[0]
        test.iterate(.chat(.advanced([Self.advance(4, 5)])))
        test.iterate(.answered(.rooms(query), .rooms(RoomsRead(rooms: [Self.view(4)], changes: []))))
        #expect(test.effects.reads == [4])
    }

    @Test("a room that is known to be further than one was told is read")
    func known() {
        var test = Self.town()
        test.iterate(.chat(.advanced([Self.advance(6, 6)])))
        #expect(test.effects.advances.isEmpty)
        #expect(test.effects.reads == [4])
    }

    @Test("what was written after a removal waits for it, and never reaches the removed")
    func removed() {
        var test = Self.town()
        test.iterate(.chat(.advanced([Self.advance(4, 5, revision: 2)])))
        #expect(test.effects.advances.isEmpty)
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [8]), answer: nil))
        let notified = test.effects.chat.map { String(reflecting: $0) }
        #expect(notified.contains(String(reflecting: ChatEffect.unfollow(SessionID(7), Self.room))))
        #expect(notified.contains(String(reflecting: ChatEffect.gone([SessionID(7)], Self.room))))
        test.iterate(.roomRead(Self.advance(4, 5, revision: 2)))
        #expect(test.effects.advances.isEmpty)
    }

    @Test("what was written under a newer revision is told once that is known")
    func newerRevision() {
        var test = Self.town()
        test.iterate(.chat(.advanced([Self.advance(4, 5, revision: 2)])))
        #expect(test.effects.reads.isEmpty)
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [7, 8, 9]), answer: nil))
        #expect(test.effects.reads == [4])
        test.iterate(.roomRead(Self.advance(4, 6, revision: 2)))
        #expect(test.effects.advances == [Self.advance(4, 6, revision: 2)])
    }

    @Test("another numbering makes everybody begin anew")
    func epoch() {
        var test = Self.town()
        test.iterate(.chat(.advanced([Self.advance(4, 5, epoch: "f")])))
        #expect(test.effects.reads == [4])
        test.iterate(.roomRead(Self.advance(4, 5, epoch: "f")))
        #expect(test.effects.chat.contains { if case .closed = $0 { true } else { false } })
        let query = test.effects.roomQueries[0]
        test.iterate(.answered(.rooms(query), .rooms(RoomsRead(rooms: [Self.view(5, epoch: "f")], changes: []))))
        let notified = test.effects.chat.map { String(reflecting: $0) }
        let follow = ChatEffect.follow(SessionID(7), Self.room, epoch: "f", version: 5, from: 5, first: 1)
        #expect(notified.contains(String(reflecting: follow)))
    }

    @Test("who resumes is sent what was missed, or told that it is too much")
    func resumes() {
        for isTooMuch in [false, true] {
            var test = WorldUnderTest()
            test.open(8, user: 8, members: [1: [7, 8]])
            let known = RoomPosition(epoch: "e", version: 2, read: 0)
            test.iterate(.sessionOpened(Self.opening(7, user: 7, rooms: [Self.room: known])))
            let read = RoomsRead(rooms: [Self.view(4)], changes: isTooMuch ? [] : [Self.advance(2, 4)])
            test.iterate(.answered(.rooms(test.effects.roomQueries[0]), .rooms(read)))
            let expected =
                isTooMuch
                ? ChatEffect.gap(SessionID(7), Self.room, epoch: "e", upTo: 4)
                : .missed(SessionID(7), Self.advance(2, 4))
            #expect(test.effects.chat.map { String(reflecting: $0) }.contains(String(reflecting: expected)))
        }
    }

    @Test("who resumes where a room is, is told nothing of it")
    func unchanged() {
        var test = WorldUnderTest()
        test.open(8, user: 8, members: [1: [7, 8]])
        let known = RoomPosition(epoch: "e", version: 4, read: 0)
        test.iterate(.sessionOpened(Self.opening(7, user: 7, rooms: [Self.room: known])))
        let read = RoomsRead(rooms: [Self.view(4)], changes: [Self.advance(4, 4)])
        test.iterate(.answered(.rooms(test.effects.roomQueries[0]), .rooms(read)))
        #expect(test.effects.chat.count == 1 && test.effects.questions.isEmpty)
    }

    @Test("who writes is told to those who look, until they have said it")
    func typing() {
        var test = Self.town()
        test.iterate(.chat(.focused(SessionID(7), nil, Self.room)), .chat(.typed(SessionID(7), nil, Self.room)))
        #expect(test.effects.typing == [[UserID(7)]])
        test.iterate(
            .chat(
                .advanced([
                    RoomAdvance(
                        room: Self.room,
                        epoch: "e",
                        after: 4,
                        upTo: 5,
                        revision: 1,
                        messages: [Self.message(5, by: 7)]
                    )
                ])
            )
        )
        #expect(test.effects.typing == [[]])
    }

    @Test("what is on the screen before the room is followed counts from then on")
    func earlyFocus() {
        var test = WorldUnderTest()
        test.open(8, user: 8, members: [1: [7, 8]])
        test.iterate(.sessionOpened(Self.opening(7, user: 7)))
        let query = test.effects.roomQueries[0]
        test.iterate(.chat(.focused(SessionID(7), nil, Self.room)))
        #expect(!test.effects.chat.contains { if case .subscribeToTyping = $0 { true } else { false } })
        test.iterate(.answered(.rooms(query), .rooms(RoomsRead(rooms: [Self.view(4)], changes: []))))
        #expect(test.effects.chat.contains { if case .subscribeToTyping = $0 { true } else { false } })
    }

    @Test("who is not in a room neither looks at it nor writes there; no room is everybody's")
    func strangers() {
        var test = Self.town()
        func answers(_ input: ChatInput) -> [String] {
            test.iterate(.chat(input)).compactMap { effect in
                switch effect {
                case .refused(_, let tag, .notMember): "not_member \(tag == .number(3))"
                case .chat(.done(_, let tag)): "ok \(tag == .number(3))"
                default: nil
                }
            }
        }
        #expect(answers(.focused(SessionID(7), .number(3), RoomID(2))) == ["not_member true"])
        #expect(answers(.typed(SessionID(7), .number(3), RoomID(2))) == ["not_member true"])
        #expect(test.effects.typing.isEmpty)
        #expect(answers(.focused(SessionID(7), .number(3), nil)) == ["ok true"])
        #expect(answers(.focused(SessionID(7), .number(3), Self.room)) == ["ok true"])
        #expect(answers(.typed(SessionID(7), nil, Self.room)) == ["ok false"])
        // A client without room support is still a member of its groups.
        #expect(answers(.focused(SessionID(8), .number(3), Self.room)) == ["ok true"])
        #expect(answers(.focused(SessionID(8), .number(3), RoomID(2))) == ["not_member true"])
    }

    @Test("when something may have been missed, storage is asked how far rooms are, and what is behind is read")
    func suspected() {
        var test = Self.town()
        func heads() -> [[RoomID]] {
            test.effects.questions.compactMap { if case .roomVersions(let rooms) = $0 { rooms } else { nil } }
        }
        test.iterate(.chat(.suspected(nil)))
        #expect(heads() == [[Self.room]])
        test.iterate(.chat(.suspected([RoomID(2)])))
        #expect(heads().isEmpty)
        test.iterate(.chat(.advanced([Self.advance(4, 4)])))
        #expect(test.effects.chat.isEmpty && test.effects.questions.isEmpty, "nothing was missed")
        test.iterate(.chat(.advanced([Self.advance(6, 6)])))
        #expect(test.effects.reads == [4])
        test.iterate(.roomRead(Self.advance(4, 6)))
        #expect(test.effects.advances == [Self.advance(4, 6)])
        // The same for a room that is being read for the first time.
        test.iterate(.sessionClosed(SessionID(7)))
        test.iterate(.sessionOpened(Self.opening(9, user: 7)))
        let query = test.effects.roomQueries[0]
        test.iterate(.chat(.suspected(nil)))
        #expect(heads() == [[Self.room]])
        test.iterate(.chat(.advanced([Self.advance(7, 7)])))
        test.iterate(.answered(.rooms(query), .rooms(RoomsRead(rooms: [Self.view(6)], changes: []))))
        #expect(test.effects.reads == [6])
    }

    @Test("more than one reading brings is read in several")
    func longReading() {
        var test = Self.town()
        test.iterate(.chat(.suspected(nil)))
        test.iterate(.chat(.advanced([Self.advance(5, 5)])))
        let most = Int64(RoomsRead.mostChangesInAll)
        test.iterate(.roomRead(Self.advance(4, 4 + most)))
        #expect(test.effects.reads == [4 + most])
        test.iterate(.roomRead(Self.advance(4 + most, 6 + most)))
        #expect(test.effects.reads.isEmpty && test.effects.advances.last?.upTo == 6 + most)
    }

    @Test("who goes away is told of what is to be read once storage knows that they went, unless they are back")
    func departure() {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8]])
        test.commit()
        func departures(_ effects: [WorldEffect]) -> Int {
            effects.chat.count { if case .wentAway = $0 { true } else { false } }
        }
        test.iterate(.sessionClosed(SessionID(7)))
        #expect(departures(test.pass(600_000)) == 0, "storage does not know it yet")
        #expect(departures(test.commit()) == 1)
        test.open(8, user: 7, members: [1: [7, 8]])
        test.commit()
        test.iterate(.sessionClosed(SessionID(8)))
        _ = test.pass(600_000)
        test.open(9, user: 7, members: [1: [7, 8]])
        #expect(departures(test.commit()) == 0)
    }

    @Test("a room that nobody follows is forgotten")
    func forgotten() {
        var test = Self.town()
        test.iterate(.sessionClosed(SessionID(7)))
        #expect(test.effects.chat.contains { if case .closed = $0 { true } else { false } })
        #expect(test.world.chat.rooms.isEmpty)
        #expect(test.world.chat.awaited.isEmpty)
    }
}

extension WorldInput {
    /// The changes of a room from storage.
    static func roomRead(_ advance: RoomAdvance) -> WorldInput {
        .answered(.roomChanges(advance.room, after: advance.after), .roomChanges(advance))
    }
}

extension [WorldEffect] {
    var chat: [ChatEffect] { self.compactMap { if case .chat(let effect) = $0 { effect } else { nil } } }
    var roomQueries: [RoomsQuery] {
        self.questions.compactMap { if case .rooms(let query) = $0 { query } else { nil } }
    }
    var advances: [RoomAdvance] {
        self.chat.compactMap { if case .advanced(let advance) = $0 { advance } else { nil } }
    }
    var reads: [Int64] {
        self.questions.compactMap { if case .roomChanges(_, let after) = $0 { after } else { nil } }
    }
    var typing: [[UserID]] {
        self.chat.compactMap { if case .typing(_, let users, _) = $0 { users } else { nil } }
    }
}
