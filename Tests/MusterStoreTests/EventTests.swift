import EventLoop
import MusterCore
import MusterStore
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@Suite("Events in storage") struct EventTests {
    private static let wall = Coordinate(latitude: 48.208_174, longitude: 16.373_8)
    private static let hour: Int64 = 3_600_000

    /// An event of the day after tomorrow.
    private static func draft(
        _ store: Store,
        key: String = "k",
        title: String = "Climbing",
        capacity: Int? = nil,
        group: GroupID? = nil,
        startsIn: Int64 = 48 * Self.hour,
        photo: PhotoID? = nil,
        hidesPlace: Bool = false
    ) -> EventCreate {
        EventCreate(
            key: key,
            title: title,
            at: Self.wall,
            startsAt: Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds + startsIn),
            timeZone: "Europe/Vienna",
            placeName: "The wall",
            photo: photo,
            capacity: capacity,
            group: group,
            hidesPlace: hidesPlace
        )
    }

    /// The kinds of a person's notifications, in order.
    private static func told(_ store: Store, _ user: UserID) async throws -> [String] {
        try await store.directory.inbox(of: user).unseen.map(\.content.kind)
    }

    @Test("an event is made once for a key, and seen by everybody; a group's by its members")
    func make() async throws {
        try await Store.with(clock: .system) { store in
            let ada = try await store.person("Ada").user
            let photo = try await store.photo(of: ada.id)
            let draft = Self.draft(store, capacity: 3, photo: photo.id, hidesPlace: true)
            let event = try await store.directory.createEvent(draft, by: ada.id).event
            #expect(event.host == ada)
            #expect(event.coordinate == Self.wall)
            #expect(event.photo == photo)
            #expect(event.endsAt == draft.startsAt + 2 * Self.hour)
            #expect(event.clock.count == 5)
            var other = Self.draft(store, title: "Another")
            #expect(try await store.directory.createEvent(other, by: ada.id).event == event)
            other.key = "other"
            other.photo = photo.id
            let taken = await failure { () async throws(DirectoryError) in
                _ = try await store.directory.createEvent(other, by: ada.id)
            }
            #expect(taken == .notFound)
            let bo = try await store.person("Bo").user
            #expect(try await store.directory.event(event.id, for: bo.id) == event)

            let (group, people) = try await store.group(2)
            let draftOfGroup = Self.draft(store, group: group.id)
            let own = try await store.directory.createEvent(draftOfGroup, by: people[1].user.id).event
            #expect(try await store.directory.event(own.id, for: people[0].user.id) == own)
            let hidden = await failure { () async throws(DirectoryError) in
                _ = try await store.directory.event(own.id, for: bo.id)
            }
            #expect(hidden == .notFound)
            let stranger = await failure { () async throws(DirectoryError) in
                _ = try await store.directory.createEvent(draftOfGroup, by: bo.id)
            }
            #expect(stranger == .notMember)
            #expect(try await store.directory.openEvents(after: nil) == [event, own])
        }
    }

    @Test("what cannot be is refused, and the field is named")
    func refusals() async throws {
        try await Store.with(clock: .system) { store in
            let ada = try await store.person("Ada").user
            let table: [(field: String, change: (inout EventCreate) -> Void)] = [
                ("tz", { $0.tz = "Mars/Olympus" }), ("endsAt", { $0.endsAt = $0.startsAt - 1 }),
                ("endsAt", { $0.endsAt = $0.startsAt + 15 * 24 * Self.hour }),
                ("startsAt", { $0.startsAt = Timestamp(milliseconds: 253_402_300_799_000) }),
                ("startsAt", { $0.startsAt = Timestamp(milliseconds: 1_000_000_000_000) }),
            ]
            for (field, change) in table {
                var draft = Self.draft(store)
                change(&draft)
                let refused = draft
                let code = await failure { () async throws(DirectoryError) in
                    _ = try await store.directory.createEvent(refused, by: ada.id)
                }
                #expect(code == .badRequest(field: field))
            }
            #expect(try await store.count("muster.event") == 0)
            for number in 0..<Directory.openEventsPerPerson {
                _ = try await store.directory.createEvent(Self.draft(store, key: "\(number)"), by: ada.id)
            }
            let full = await failure { () async throws(DirectoryError) in
                _ = try await store.directory.createEvent(Self.draft(store, key: "more"), by: ada.id)
            }
            #expect(full == .conflict)
        }
    }

    @Test(
        "what guests have not seen of an event calls it as it is now, and says nothing of one that is off",
        arguments: [(false, ["event_place", "event_changed"]), (true, ["event_cancelled"])]
    )
    func unseen(isOff: Bool, kinds: [String]) async throws {
        try await Store.with(clock: .system) { store in
            let (ada, bo, cy) = (
                try await store.person("Ada").user, try await store.person("Bo").user, try await store.person("Cy").user
            )
            let event = try await store.directory.createEvent(Self.draft(store, capacity: 1), by: ada.id).event
            _ = try await store.directory.reply(.yes, to: event.id, by: bo.id)
            _ = try await store.directory.reply(.yes, to: event.id, by: cy.id)
            _ = try await store.directory.reply(.no, to: event.id, by: bo.id)
            #expect(try await Self.told(store, cy.id) == ["event_place"])
            let before = try await store.directory.inbox(of: cy.id).unseen.map(\.number)
            let publications: [Publication]
            if isOff {
                publications = try await store.directory.cancelEvent(event.id, by: ada.id).publications
            } else {
                var update = EventUpdate(event.id, version: event.version)
                update.title = "Swimming"
                publications = try await store.directory.updateEvent(update, by: ada.id).publications
            }
            let unseen = try await store.directory.inbox(of: cy.id).unseen
            #expect(unseen.map(\.content.kind) == kinds)
            #expect(unseen.allSatisfy { $0.content.payload["title"]?.text == (isOff ? "Climbing" : "Swimming") })
            let taken = before.map { NotificationNumber(user: cy.id, number: $0) }
            #expect(publications.first?.message == .withdrawn(taken))
        }
    }

    @Test("only who has the newest version changes an event; guests are told of time, place and title alone")
    func update() async throws {
        try await Store.with(clock: .system) { store in
            let ada = try await store.person("Ada").user
            let bo = try await store.person("Bo").user
            let event = try await store.directory.createEvent(Self.draft(store, capacity: 1), by: ada.id).event
            _ = try await store.directory.reply(.yes, to: event.id, by: bo.id)
            var update = EventUpdate(event.id, version: 1)
            update.text = .replaced("Bring shoes")
            update.place = .removed
            let forbidden = update
            let code = await failure { () async throws(DirectoryError) in
                _ = try await store.directory.updateEvent(forbidden, by: bo.id)
            }
            #expect(code == .forbidden)
            let first = try await store.directory.updateEvent(update, by: ada.id)
            #expect(first.event.text == "Bring shoes" && first.event.place == nil && first.event.version == 2)
            #expect(try await Self.told(store, bo.id) == ["event_changed"])
            let stale = try await store.directory.updateEvent(update, by: ada.id)
            #expect(stale.isStale && stale.event == first.event)
            update = EventUpdate(event.id, version: 2)
            update.capacity = .replaced(5)
            _ = try await store.directory.updateEvent(update, by: ada.id)
            #expect(try await Self.told(store, bo.id).count == 1, "how many may come is no news")
            update = EventUpdate(event.id, version: 3)
            update.startsAt = event.startsAt + Self.hour
            let moved = try await store.directory.updateEvent(update, by: ada.id)
            #expect(moved.event.endsAt == event.endsAt + Self.hour)
            let told = try await store.directory.inbox(of: bo.id).unseen
            #expect(told.last?.content.payload["changed"] == .list([.text("startsAt"), .text("endsAt")]))
            #expect(moved.publications.map(\.audience) == [.people([bo.id]), .people([bo.id])])
            #expect(try await Self.told(store, bo.id) == ["event_changed"], "the first one told the old time")
            _ = try await store.directory.cancelEvent(event.id, by: ada.id)
            #expect(try await Self.told(store, bo.id).last == "event_cancelled")
            let gone = await failure { () async throws(DirectoryError) in
                _ = try await store.directory.reply(.no, to: event.id, by: bo.id)
            }
            #expect(gone == .gone)
        }
    }

    @Test("200 people want 10 places at once: never 11, those who wait come in their order, and each is told once")
    func rush() async throws {
        try await Store.with(clock: .system) { store in
            let host = try await store.person("Ada").user
            let event = try await store.directory.createEvent(Self.draft(store, capacity: 10), by: host.id).event
            var people: [UserID] = []
            let rows = try await store.pool.query(
                """
                INSERT INTO muster.account (id, username, password_hash, name, created_at)
                SELECT $1 + n, 'guest' || n, a.password_hash, 'Guest ' || n, a.created_at
                FROM muster.account a, generate_series(1, 200) n WHERE a.id = $1 RETURNING id
                """,
                [.int64(host.id.rawValue)]
            )
            for row in rows { people.append(UserID(try row.int64("id"))) }
            let capacities = [12, 15, 11, 20]
            // The places of the moment, and how many come: of each change that anybody is answered.
            try await store.pool.query(
                """
                CREATE TABLE public.crowd (yes bigint, allowed integer, was bigint)
                """
            )
            try await store.pool.query(
                """
                CREATE FUNCTION public.count_crowd() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO public.crowd SELECT count(*), e.capacity,
                        (SELECT c.yes FROM public.crowd c ORDER BY c.ctid DESC LIMIT 1)
                    FROM muster.event e JOIN muster.event_guest g ON g.event_id = e.id AND g.rsvp = 'yes'
                    WHERE e.id = NEW.event_id GROUP BY e.capacity;
                    RETURN NULL;
                END $$
                """
            )
            try await store.pool.query(
                """
                CREATE TRIGGER count_crowd AFTER INSERT OR UPDATE ON muster.event_guest
                FOR EACH ROW EXECUTE FUNCTION public.count_crowd()
                """
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, user) in people.enumerated() {
                    group.addTask {
                        let change = try await store.directory.reply(.yes, to: event.id, by: user)
                        let places = try #require(change.event.capacity)
                        // Less places throw nobody out, so more come than there are only when more were there before.
                        #expect(change.event.count(.yes) <= max(places, 15))
                        // Every fifth thinks otherwise.
                        if number % 5 == 0 { _ = try await store.directory.reply(.no, to: event.id, by: user) }
                    }
                }
                group.addTask {
                    for capacity in capacities {
                        let version = try await store.directory.event(event.id, for: host.id).version
                        var update = EventUpdate(event.id, version: version)
                        update.capacity = .replaced(capacity)
                        _ = try await store.directory.updateEvent(update, by: host.id)
                    }
                }
                try await group.waitForAll()
            }
            // The row of the event is locked, so one change of guests is behind the other.
            let crowded = try await store.count("public.crowd WHERE yes > allowed AND yes > coalesce(was, 0)")
            #expect(crowded == 0, "somebody got a place that was not there")
            let settled = try await store.directory.event(event.id, for: host.id)
            #expect(settled.count(.yes) == 20 && settled.count(.no) == 40 && settled.count(.waiting) == 140)
            let places = settled.guests.filter { $0.rsvp == .yes }.map(\.askedAt)
            let waiting = settled.guests.filter { $0.rsvp == .waiting }.map(\.askedAt)
            #expect(try #require(places.max()) < (try #require(waiting.min())), "who asked first has a place")
            let notices = try await store.pool.query(
                """
                SELECT count(*) AS n, count(DISTINCT (user_id, subject)) AS apart FROM muster.notification
                WHERE kind = 'event_place'
                """
            )
            let told = try notices[0].int64("n")
            #expect(told == (try notices[0].int64("apart")) && told > 0)
            // Whoever has a place was told, but for those who had it at once.
            let untold = try await store.count(
                """
                muster.event_guest g WHERE g.rsvp = 'yes' AND NOT EXISTS (SELECT FROM muster.notification n
                    WHERE n.user_id = g.user_id AND n.kind = 'event_place')
                """
            )
            #expect(untold <= 20)
            let falsely = try await store.count(
                """
                muster.event_guest g JOIN muster.notification n ON n.user_id = g.user_id AND n.kind = 'event_place'
                WHERE g.rsvp = 'waiting'
                """
            )
            #expect(falsely == 0)
        }
    }

    @Test("a place that gets free goes to who has waited longest: by no, by removal, by deletion of an account")
    func waiting() async throws {
        try await Store.with(clock: .system) { store in
            let host = try await store.person("Ada").user.id
            let event = try await store.directory.createEvent(Self.draft(store, capacity: 1), by: host).event.id
            var guests: [UserID] = []
            for name in ["Bo", "Cy", "Di", "Ed"] { guests.append(try await store.person(name).user.id) }
            for guest in guests { _ = try await store.directory.reply(.yes, to: event, by: guest) }
            func standing(_ place: Int) async throws -> EventStanding? {
                try await store.directory.event(event, for: host).standing(of: guests[place])
            }
            #expect(try await standing(3) == EventStanding(rsvp: .waiting, waitingPlace: 3))
            _ = try await store.directory.reply(.no, to: event, by: guests[0])
            #expect(try await standing(1) == EventStanding(rsvp: .yes))
            _ = try await store.directory.removeGuest(guests[1], from: event, by: host)
            #expect(try await standing(2) == EventStanding(rsvp: .yes))
            #expect(try await standing(1) == EventStanding(rsvp: nil))
            let removed = guests[1]
            let back = await failure { () async throws(DirectoryError) in
                _ = try await store.directory.reply(.yes, to: event, by: removed)
            }
            #expect(back == .forbidden)
            _ = try await store.directory.deleteAccount(guests[2])
            #expect(try await standing(3) == EventStanding(rsvp: .yes))
            for guest in [guests[1], guests[3]] { #expect(try await Self.told(store, guest) == ["event_place"]) }
            let list = try await store.directory.guests(of: event, after: nil, limit: 10, for: guests[3])
            #expect(list.guests.map(\.rsvp) == [.yes, .no])
            let stranger = try await store.person("Flo").user.id
            let refused = await failure { () async throws(DirectoryError) in
                _ = try await store.directory.guests(of: event, after: nil, limit: 10, for: stranger)
            }
            #expect(refused == .forbidden)
            // The host goes, and with them the event.
            let deletion = try await store.directory.deleteAccount(host)
            #expect(deletion.events == [event])
            #expect(try await Self.told(store, guests[3]) == ["event_place", "event_cancelled"])
            #expect(try await store.count("muster.event_guest") == 0)
        }
    }

    @Test("who leaves a group is no guest of its events any more, and theirs pass to its owner")
    func leaving() async throws {
        try await Store.with(clock: .system) { store in
            let (group, people) = try await store.group(3)
            let (owner, host, guest) = (people[0].user.id, people[1].user.id, people[2].user.id)
            let draft = Self.draft(store, capacity: 1, group: group.id)
            let event = try await store.directory.createEvent(draft, by: host).event.id
            _ = try await store.directory.reply(.yes, to: event, by: host)
            _ = try await store.directory.reply(.yes, to: event, by: guest)
            _ = try await store.directory.leave(group.id, user: host)
            let passed = try await store.directory.event(event, for: owner)
            #expect(passed.host.id == owner)
            #expect(passed.guests.map(\.user) == [guest])
            #expect(passed.guests.map(\.rsvp) == [.yes])
            #expect(try await Self.told(store, guest) == ["event_place"])
            // The owner leaves too: both pass to who is left.
            _ = try await store.directory.leave(group.id, user: owner)
            #expect(try await store.directory.event(event, for: guest).host.id == guest)
            _ = try await store.directory.leave(group.id, user: guest)
            #expect(try await store.count("muster.event") == 0)
        }
    }

    /// What tells two people of an event, of whom the one with the higher id comes first.
    enum Telling: CaseIterable {
        case places
        case move
        case deletion
        case guests
        case leaving
    }

    @Test(
        "people who are told of events are locked in the order of their ids, so that who waits for one keeps no other",
        arguments: Telling.allCases
    )
    func locks(telling: Telling) async throws {
        try await Store.with(clock: .system) { store in
            let (directory, pool) = (store.directory, store.pool)
            let (group, people) = try await store.group(5)
            let host = people[1].user.id
            let ids = people.suffix(3).map(\.user.id).sorted()
            let (low, high, guest) = (ids[0], ids[1], ids[2])
            var events: [EventID] = []
            for key in ["a", "b"] {
                let isHidden = telling == .move
                let draft = Self.draft(
                    store,
                    key: key,
                    capacity: isHidden ? nil : 1,
                    group: group.id,
                    hidesPlace: isHidden
                )
                events.append(try await directory.createEvent(draft, by: host).event.id)
            }
            switch telling {
            case .places:
                for user in [guest, high, low] { _ = try await directory.reply(.yes, to: events[0], by: user) }
            case .move:
                _ = try await directory.reply(.yes, to: events[0], by: high)
                _ = try await directory.reply(.maybe, to: events[0], by: low)
            case .deletion:
                _ = try await directory.reply(.yes, to: events[0], by: high)
                _ = try await directory.reply(.yes, to: events[1], by: low)
            case .guests, .leaving:
                for event in events { _ = try await directory.reply(.yes, to: event, by: guest) }
                _ = try await directory.reply(.yes, to: events[0], by: high)
                _ = try await directory.reply(.yes, to: events[1], by: low)
            }
            var update = EventUpdate(events[0], version: 1)
            if telling == .places { update.capacity = .replaced(3) } else { update.title = "Later" }
            let change = update
            let lock = "SELECT id FROM muster.account WHERE id = $1 FOR NO KEY UPDATE"
            let task = try await store.transaction { other in
                try await other.query(lock, [.int64(low.rawValue)])
                let task = Task {
                    switch telling {
                    case .places, .move: _ = try await directory.updateEvent(change, by: host)
                    case .deletion: _ = try await directory.deleteAccount(host)
                    case .guests:
                        try await pool.query(
                            "DELETE FROM muster.event_guest WHERE user_id = $1",
                            [.int64(guest.rawValue)]
                        )
                    case .leaving: _ = try await directory.leave(group.id, user: guest)
                    }
                }
                try await waitUntil {
                    try await store.count(
                        """
                        pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                            AND backend_type = 'client backend'
                        """
                    ) > 0
                }
                // Before a deadlock would be found.
                try await other.query("SELECT set_config('lock_timeout', '500', true)")
                try await other.query(lock, [.int64(high.rawValue)])
                return task
            }
            try await task.value
            let kind =
                switch telling {
                case .places, .guests, .leaving: "event_place"
                case .move: "event_changed"
                case .deletion: "event_cancelled"
                }
            for user in [low, high] { #expect(try await Self.told(store, user).contains(kind), "\(user)") }
            #expect(try await store.count("muster.event_notice") == 0)
        }
    }

    @Test("nobody takes a chat's room and waits for an author whose account goes and waits for the room")
    func deletionBesideChat() async throws {
        try await Store.with(clock: .system) { store in
            let (group, people) = try await store.group(2)
            let author = people[1].user.id
            let deletion = try await store.transaction { chat in
                try await chat.query(
                    "SELECT FROM muster.room WHERE id = $1 FOR NO KEY UPDATE",
                    [.int64(group.id.rawValue)]
                )
                let deletion = Task { try await store.directory.deleteAccount(author) }
                try await waitUntil {
                    try await store.count(
                        "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                    ) > 0
                }
                try await chat.query("SELECT set_config('lock_timeout', '500', true)")
                // What the foreign key of a message asks for.
                try await chat.query(
                    "SELECT FROM muster.account WHERE id = $1 FOR KEY SHARE",
                    [.int64(author.rawValue)]
                )
                return deletion
            }
            #expect(try await deletion.value.groups.map(\.id) == [group.id])
        }
    }

    @Test(
        "a guest whom an operator changes changes the event, and the place goes on; so does a guest's new name or face"
    )
    func behindTheBack() async throws {
        try await Store.with(clock: .system) { store in
            let (directory, pool) = (store.directory, store.pool)
            let host = try await store.person("Ada").user.id
            let event = try await directory.createEvent(Self.draft(store, capacity: 1), by: host).event.id
            let (bo, cy) = (try await store.person("Bo").user.id, try await store.person("Cy").user.id)
            _ = try await directory.reply(.yes, to: event, by: bo)
            let before = try await directory.reply(.yes, to: event, by: cy).event.revision
            try await pool.query("UPDATE muster.event_guest SET rsvp = 'no' WHERE user_id = $1", [.int64(bo.rawValue)])
            let changed = try await directory.event(event, for: host)
            #expect(changed.revision == before + 1 && changed.standing(of: cy) == EventStanding(rsvp: .yes))
            #expect(try await Self.told(store, cy) == ["event_place"])
            _ = try await directory.updateProfile(of: cy, ProfileChange(name: "Cynthia"))
            let named = try await directory.event(event, for: host).revision
            #expect(named == changed.revision + 1)
            let face = try await store.photo(of: cy, .face).id
            _ = try await directory.updateProfile(of: cy, ProfileChange(avatar: .replaced(face)))
            #expect(try await directory.event(event, for: host).revision == named + 1)
            _ = try await directory.updateProfile(of: bo, ProfileChange(name: "Bodo"))
            #expect(try await directory.event(event, for: host).revision == named + 1, "who does not come is not shown")
        }
    }

    @Test("a calendar's key opens one's own events, until there is another")
    func calendar() async throws {
        try await Store.with(clock: .system) { store in
            let ada = try await store.person("Ada").user.id
            let bo = try await store.person("Bo").user.id
            let event = try await store.directory.createEvent(Self.draft(store), by: ada).event
            _ = try await store.directory.reply(.maybe, to: event.id, by: bo)
            let key = try await store.directory.calendarKey(of: bo)
            #expect(try await store.directory.calendarKey(of: bo) == key)
            #expect(try await store.directory.calendarOwner(key: key) == bo)
            #expect(try await store.directory.calendarEvents(of: bo).map(\.id) == [event.id])
            let next = try await store.directory.renewCalendarKey(of: bo)
            #expect(next != key)
            for wrong in [key, "", "'", String(repeating: "f", count: 32)] {
                let code = await failure { () async throws(DirectoryError) in
                    _ = try await store.directory.calendarOwner(key: wrong)
                }
                #expect(code == .notFound)
            }
            let (events, cursor) = try await store.directory.events(of: bo, after: nil, limit: 1)
            #expect(events.map(\.id) == [event.id] && cursor == nil)
        }
    }
}
