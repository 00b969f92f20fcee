import EventLoop
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import Postgres

@Suite("Rooms of events in storage") struct EventRoomTests {
    private static func draft(_ key: String = "k", group: GroupID? = nil, hidesPlace: Bool = false) -> EventCreate {
        EventCreate(
            key: key,
            title: "Climbing",
            at: Coordinate(latitude: 48.2082, longitude: 16.3738),
            startsAt: Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds + 86_400_000),
            timeZone: "Europe/Vienna",
            placeName: "The wall",
            group: group,
            hidesPlace: hidesPlace
        )
    }

    /// The ids of the members of a room.
    private static func members(_ room: RoomID, _ store: Store) async throws -> [UserID] {
        let rows = try await store.pool.query(
            "SELECT user_id FROM muster.room_member WHERE room_id = $1 ORDER BY user_id",
            [.int64(room.rawValue)]
        )
        return try rows.map { UserID(try $0.int64("user_id")) }
    }

    /// The system messages of a room, with the changes that they name.
    private static func said(_ room: RoomID, _ store: Store, _ user: UserID) async throws -> [String] {
        try await store.directory.messages(of: room, .newest, limit: 100, for: user).messages
            .compactMap { message in
                guard message.kind == .system, let choice = message.data?["event"]?.text else { return nil }
                guard case .list(let changed)? = message.data?["changed"] else { return choice }
                return ([choice] + changed.compactMap(\.text)).joined(separator: " ")
            }
    }

    @Test("in a room are the host, and who comes, might come or waits; everything can be read, nothing is unread")
    func seats() async throws {
        try await Store.with(clock: .system) { store in
            var people: [UserID] = []
            for name in ["Ada", "Bo", "Cy"] { people.append(try await store.person(name).user.id) }
            let event = try await store.directory.createEvent(Self.draft(), by: people[0]).event.id
            let room = event.room
            #expect(try await Self.members(room, store) == [people[0]])
            _ = try await store.pool.query(
                "SELECT muster.say_in_room($1, $2, 'x', now(), '{\"event\":\"event_changed\"}')",
                [.int64(room.rawValue), .int64(people[0].rawValue)]
            )
            for choice: EventReply.Choice in [.yes, .maybe] {
                _ = try await store.directory.reply(choice, to: event, by: people[1])
                #expect(try await Self.members(room, store) == Array(people.prefix(2)))
            }
            #expect(try await store.directory.messages(of: room, .newest, limit: 9, for: people[1]).messages.count == 1)
            let rooms = try await store.directory.rooms(
                RoomsQuery(session: SessionID(1), user: people[1], rooms: [room])
            )
            #expect(rooms.rooms.map(\.first) == [1] && rooms.rooms.map(\.read) == [1])
            #expect(rooms.rooms.first?.event?.title == "Climbing" && rooms.rooms.first?.event?.host == people[0])
            let others = try await store.directory.rooms(
                RoomsQuery(session: SessionID(1), user: people[1], rooms: [], isFirst: true)
            )
            #expect(others.others == [room] && others.rooms.isEmpty)
            let held = try #require(rooms.rooms.first)
            let back = try await store.directory.rooms(
                RoomsQuery(
                    session: SessionID(1),
                    user: people[1],
                    rooms: [room],
                    resume: [room: RoomPosition(epoch: held.epoch, version: 0, read: 0)],
                    isFirst: true
                )
            )
            #expect(back.rooms.map(\.room) == [room] && back.others.isEmpty)
            #expect(back.changes.map(\.after) == [0] && back.changes.map(\.upTo) == [held.version])
            _ = try await store.directory.reply(.no, to: event, by: people[1])
            _ = try await store.directory.reply(.yes, to: event, by: people[2])
            #expect(try await Self.members(room, store) == [people[0], people[2]])
            let refused = await failure {
                _ = try await store.directory.messages(of: room, .newest, limit: 9, for: people[1])
            }
            #expect(refused == .notMember)
            _ = try await store.directory.removeGuest(people[2], from: event, by: people[0])
            #expect(try await Self.members(room, store) == [people[0]])
            // A host who declines remains a member.
            _ = try await store.directory.reply(.no, to: event, by: people[0])
            #expect(try await Self.members(room, store) == [people[0]])
            _ = try await store.directory.deleteAccount(people[0])
            #expect(try await store.count("muster.room WHERE kind = 'event'") == 0)
        }
    }

    @Test("who leaves a group is in none of its events' rooms; the next host is")
    func leaving() async throws {
        try await Store.with(clock: .system) { store in
            let (group, people) = try await store.group(3)
            let ids = people.map(\.user.id)
            let event = try await store.directory.createEvent(Self.draft(group: group.id), by: ids[1]).event.id
            _ = try await store.directory.reply(.yes, to: event, by: ids[2])
            #expect(try await Self.members(event.room, store) == [ids[1], ids[2]].sorted())
            _ = try await store.directory.leave(group.id, user: ids[1])
            #expect(try await Self.members(event.room, store) == [ids[0], ids[2]].sorted())
            _ = try await store.directory.removeMember(ids[2], from: group.id, by: ids[0])
            #expect(try await Self.members(event.room, store) == [ids[0]])
        }
    }

    @Test("rooms say what becomes of events, and tell nobody of a hidden place")
    func words() async throws {
        try await Store.with(clock: .system) { store in
            let (group, people) = try await store.group(2)
            let host = people[1].user.id
            let made = try await store.directory.createEvent(Self.draft(group: group.id, hidesPlace: true), by: host)
            let event = made.event
            #expect(made.rooms == [group.id.room])
            func change(_ version: Int64, _ body: (inout EventUpdate) -> Void) async throws -> [RoomID] {
                var update = EventUpdate(event.id, version: version)
                body(&update)
                return try await store.directory.updateEvent(update, by: host).rooms
            }
            #expect(try await change(1) { $0.text = .replaced("Bring shoes") } == [])
            // Moved within the cell, and renamed: only guests who come can see it.
            let near = Coordinate(latitude: 48.2083, longitude: 16.3739)
            #expect(try await change(2) { $0.coordinate = near } == [])
            #expect(try await change(3) { $0.place = .replaced("The other wall") } == [])
            let moved = try await change(4) {
                $0.title = "Bouldering"
                $0.coordinate = Coordinate(latitude: 47, longitude: 16.3738)
            }
            #expect(moved == [event.id.room])
            #expect(try await Self.said(event.id.room, store, host) == ["event_changed title lat"])
            let cancelled = try await store.directory.cancelEvent(event.id, by: host)
            #expect(cancelled.rooms == [event.id.room, group.id.room])
            #expect(try await Self.said(event.id.room, store, host).last == "event_cancelled")
            #expect(try await Self.said(group.id.room, store, host).suffix(2) == ["event_made", "event_cancelled"])
        }
    }

    @Test("what one was told of a room and has not seen goes with one's seat, and an event can be reported")
    func unseen() async throws {
        try await Store.with(clock: .system) { store in
            let ada = try await store.person("Ada").user.id
            let bo = try await store.person("Bo").user.id
            let event = try await store.directory.createEvent(Self.draft(), by: ada).event.id
            _ = try await store.directory.reply(.yes, to: event, by: bo)
            let writer = store.chatWriter { _ in }
            func call(_ key: String) async throws -> Int64 {
                let draft = ChatOrder.Draft(key: key, text: "Bo?", mentions: [bo])
                let now = Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds)
                let order = ChatOrder(.send(draft), in: event.room, by: ada, at: now)
                let outcome = try await writer.write(order)
                _ = try await store.directory.notify(of: [event.room])
                return outcome.message.seq
            }
            #expect(try await call("a") == 1)
            let notified = try await store.directory.inbox(of: bo).unseen
            #expect(Set(notified.map(\.content.kind)) == ["mention", "messages"])
            #expect(notified.allSatisfy { $0.content.payload["title"]?.text == "Climbing" && $0.content.group == nil })
            let texts = notified.compactMap { NotificationKind.named($0.content.kind)?.text(of: $0.content) }
            #expect(texts.contains("Ada in Climbing: Bo?"))
            // Muted users receive no more notifications; with `mentions`, only those of mentions.
            for (muted, count) in [(RoomMute.all, 2), (.mentions, 3)] {
                _ = try await store.directory.setRoom(event.room, muted: muted, slow: nil, by: bo)
                _ = try await call(muted.rawValue)
                #expect(try await store.directory.inbox(of: bo).unseen.count == count)
            }
            await writer.close()
            _ = try await store.directory.reply(.no, to: event, by: bo)
            #expect(try await store.directory.inbox(of: bo).unseen.isEmpty)
            try await store.directory.report(Report(.event, event.rawValue, reason: "Not nice"), by: bo)
            #expect(try await store.count("muster.report WHERE what = 'event' AND text LIKE 'Climbing%'") == 1)
        }
    }
}
