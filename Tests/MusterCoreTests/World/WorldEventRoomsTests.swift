import Testing

@testable import MusterCore

/// Event rooms in the world: members who are added and removed, and the frames that they receive.
@Suite("Rooms of events in the world") struct WorldEventRoomsTests {
    private static let room = RoomID(901)

    /// The event at a revision.
    ///
    /// Its host is 99, who is not nearby.
    private static func snapshot(
        _ revision: Int64,
        _ guests: [Int64],
        no: [Int64] = [],
        isOver: Bool = false
    ) -> WorldInput {
        let end = WorldUnderTest.start + (isOver ? 1_000 : 100_000_000)
        let event = Event(
            id: self.room.event,
            revision: revision,
            host: WorldUnderTest.profile(99),
            title: "Climbing",
            coordinate: Coordinate(latitude: 50, longitude: 8),
            startsAt: end - 500,
            endsAt: end,
            timeZone: "UTC",
            clock: "18:00",
            createdAt: WorldUnderTest.start,
            changedAt: WorldUnderTest.start,
            guests: guests.map { EventGuest(user: UserID($0), rsvp: .maybe, askedAt: WorldUnderTest.start) }
                + no.map { EventGuest(user: UserID($0), rsvp: .no, askedAt: WorldUnderTest.start) }
        )
        return .events(.changed([EventSnapshot(event: event, exact: [1], coarse: [0])]))
    }

    private static func view(_ version: Int64, revision: Int64) -> RoomView {
        RoomView(
            room: self.room,
            epoch: "e",
            version: version,
            seq: version,
            first: 1,
            read: 0,
            unread: 0,
            mentions: 0,
            muted: .none,
            slow: 0,
            last: nil,
            event: RoomView.Event(
                title: "Climbing",
                host: UserID(99),
                startsAt: WorldUnderTest.start,
                revision: revision
            )
        )
    }

    private static func advance(_ after: Int64, _ upTo: Int64, revision: Int64) -> WorldInput {
        .chat(.advanced([self.change(after, upTo, revision: revision)]))
    }

    private static func change(_ after: Int64, _ upTo: Int64, revision: Int64) -> RoomAdvance {
        let messages = ((after + 1)...upTo).map { seq in
            ChatMessage(
                seq: seq,
                version: seq,
                key: "k\(seq)",
                from: WorldUnderTest.profile(8),
                at: WorldUnderTest.start,
                text: "m\(seq)"
            )
        }
        return RoomAdvance(
            room: self.room,
            epoch: "e",
            after: after,
            upTo: upTo,
            revision: revision,
            messages: messages
        )
    }

    /// Opens a session of a client with room support.
    ///
    /// Storage returns the event rooms of the user beside those of their groups.
    private static func enter(_ user: Int64, at revision: Int64, version: Int64 = 4, _ test: inout WorldUnderTest) {
        var opening = WorldUnderTest.opening(user, user: user, groups: [])
        opening.rooms = [:]
        test.iterate(.sessionOpened(opening))
        guard let first = test.effects.roomQueries.first else { return }
        test.iterate(.answered(.rooms(first), .rooms(RoomsRead(rooms: [], changes: [], others: [self.room]))))
        guard let second = test.effects.roomQueries.first else { return }
        test.iterate(
            .answered(.rooms(second), .rooms(RoomsRead(rooms: [self.view(version, revision: revision)], changes: [])))
        )
    }

    private static func isNotified(_ effect: ChatEffect, in test: WorldUnderTest) -> Bool {
        test.effects.chat.map { String(reflecting: $0) }.contains(String(reflecting: effect))
    }

    @Test(
        "rooms of events are asked for behind the others', and followed from where they are",
        arguments: [false, true]
    )
    func follows(isOver: Bool) {
        var test = WorldUnderTest()
        test.iterate(Self.snapshot(3, [7], isOver: isOver))
        Self.enter(7, at: 3, &test)
        let follow = ChatEffect.follow(SessionID(7), Self.room, epoch: "e", version: 4, from: 4, first: 1)
        #expect(Self.isNotified(follow, in: test))
        test.iterate(Self.advance(4, 5, revision: 3))
        #expect(test.effects.advances == [Self.change(4, 5, revision: 3)])
    }

    @Test("what is committed while the rooms are read is not missed")
    func committedMeanwhile() {
        var test = WorldUnderTest()
        var opening = WorldUnderTest.opening(7, user: 7, groups: [])
        opening.rooms = [:]
        test.iterate(.sessionOpened(opening))
        let first = test.effects.roomQueries[0]
        test.iterate(.answered(.rooms(first), .rooms(RoomsRead(rooms: [], changes: [], others: [Self.room]))))
        let second = test.effects.roomQueries[0]
        test.iterate(Self.advance(4, 5, revision: 3))
        test.iterate(.answered(.rooms(second), .rooms(RoomsRead(rooms: [Self.view(4, revision: 3)], changes: []))))
        #expect(test.effects.questions.contains(.roomChanges(Self.room, after: 4)))
    }

    @Test(
        "who says no, or is removed, loses the room before anything that is written later is told",
        arguments: [false, true]
    )
    func removed(isOver: Bool) {
        var test = WorldUnderTest()
        Self.enter(7, at: 3, &test)
        Self.enter(8, at: 3, &test)
        // Written after the removal but received before it: it is buffered, and the event is read once.
        test.iterate(Self.advance(4, 5, revision: 4), Self.advance(5, 6, revision: 4))
        #expect(test.effects.advances.isEmpty)
        #expect(test.effects.questions == [.event(Self.room.event)])
        test.iterate(Self.snapshot(4, [8], no: [7], isOver: isOver))
        #expect(Self.isNotified(.unfollow(SessionID(7), Self.room), in: test))
        #expect(Self.isNotified(.gone([SessionID(7)], Self.room), in: test))
        test.iterate(.roomRead(Self.change(4, 6, revision: 4)))
        #expect(test.effects.advances == [Self.change(4, 6, revision: 4)], "who stays is told")
    }

    @Test("who was removed while their rooms were read does not get in")
    func removedMeanwhile() {
        var test = WorldUnderTest()
        var opening = WorldUnderTest.opening(7, user: 7, groups: [])
        opening.rooms = [:]
        test.iterate(.sessionOpened(opening))
        let first = test.effects.roomQueries[0]
        test.iterate(.answered(.rooms(first), .rooms(RoomsRead(rooms: [], changes: [], others: [Self.room]))))
        let second = test.effects.roomQueries[0]
        test.iterate(Self.snapshot(4, [8], no: [7]))
        test.iterate(.answered(.rooms(second), .rooms(RoomsRead(rooms: [Self.view(4, revision: 3)], changes: []))))
        #expect(!test.effects.chat.contains { if case .follow = $0 { true } else { false } })
    }

    @Test("older news does not take out who came in later")
    func later() {
        var test = WorldUnderTest()
        Self.enter(8, at: 3, &test)
        Self.enter(7, at: 6, &test)
        test.iterate(Self.snapshot(5, [8], no: [7]))
        #expect(!Self.isNotified(.gone([SessionID(7)], Self.room), in: test))
        test.iterate(Self.snapshot(7, [8], no: [7]))
        #expect(Self.isNotified(.gone([SessionID(7)], Self.room), in: test))
    }

    @Test("who comes to an event is told of its room at once; when the event goes, all lose it")
    func comesAndGoes() {
        var test = WorldUnderTest()
        Self.enter(8, at: 3, &test)
        var opening = WorldUnderTest.opening(7, user: 7, groups: [])
        opening.rooms = [:]
        test.iterate(.sessionOpened(opening))
        test.iterate(.answered(.rooms(test.effects.roomQueries[0]), .rooms(RoomsRead(rooms: [], changes: []))))
        test.iterate(Self.snapshot(4, [7, 8]))
        let query = test.effects.roomQueries[0]
        #expect(query.user == UserID(7) && query.rooms == [Self.room] && !query.isFirst)
        test.iterate(.answered(.rooms(query), .rooms(RoomsRead(rooms: [Self.view(4, revision: 4)], changes: []))))
        #expect(
            test.effects.chat.contains { if case .follow(SessionID(7), _, _, _, _, _) = $0 { true } else { false } }
        )
        test.iterate(.events(.removed([Self.room.event])))
        #expect(Self.isNotified(.gone([SessionID(7), SessionID(8)], Self.room), in: test))
        test.iterate(Self.advance(4, 5, revision: 4))
        #expect(test.effects.advances.isEmpty)
    }

    @Test("whom storage finds in the room of an event that goes meanwhile does not get in")
    func goneMeanwhile() {
        var test = WorldUnderTest()
        var opening = WorldUnderTest.opening(7, user: 7, groups: [])
        opening.rooms = [:]
        test.iterate(.sessionOpened(opening))
        let first = test.effects.roomQueries[0]
        test.iterate(.answered(.rooms(first), .rooms(RoomsRead(rooms: [], changes: [], others: [Self.room]))))
        let second = test.effects.roomQueries[0]
        test.iterate(.events(.removed([Self.room.event])))
        test.iterate(.answered(.rooms(second), .rooms(RoomsRead(rooms: [Self.view(4, revision: 3)], changes: []))))
        #expect(!test.effects.chat.contains { if case .follow = $0 { true } else { false } })
    }

    @Test("who is let in while their rooms are read is asked for again, unless they are in already")
    func enteredMeanwhile() {
        for isFound in [false, true] {
            var test = WorldUnderTest()
            var opening = WorldUnderTest.opening(7, user: 7, groups: [])
            opening.rooms = [:]
            test.iterate(.sessionOpened(opening))
            let first = test.effects.roomQueries[0]
            test.iterate(Self.snapshot(4, [7]))
            #expect(test.effects.roomQueries.isEmpty)
            let others = isFound ? [Self.room] : []
            test.iterate(.answered(.rooms(first), .rooms(RoomsRead(rooms: [], changes: [], others: others))))
            let second = test.effects.roomQueries
            #expect(second.map(\.rooms) == [[Self.room]])
            test.iterate(
                .answered(.rooms(second[0]), .rooms(RoomsRead(rooms: [Self.view(4, revision: 4)], changes: [])))
            )
            #expect(test.effects.roomQueries.isEmpty)
            #expect(test.effects.chat.contains { if case .follow = $0 { true } else { false } })
        }
    }

    @Test("a room that one resumes and is not in any more is taken back")
    func resumed() {
        var test = WorldUnderTest()
        var opening = WorldUnderTest.opening(7, user: 7, groups: [])
        opening.rooms = [Self.room: RoomPosition(epoch: "e", version: 4, read: 0)]
        test.iterate(.sessionOpened(opening))
        test.iterate(.answered(.rooms(test.effects.roomQueries[0]), .rooms(RoomsRead(rooms: [], changes: []))))
        #expect(Self.isNotified(.gone([SessionID(7)], Self.room), in: test))
    }
}
