import EventLoop
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Places at events in storage") struct EventPlaceTests {
    @Test("200 people want 10 places at once: never 11, those who wait come in their order, and each is told once")
    func rush() async throws {
        try await Store.with(clock: .system) { store in
            let host = try await store.person("Ada").user
            let event = try await store.directory.createEvent(store.eventDraft(capacity: 10), by: host.id).event
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
            let notified = try notices[0].int64("n")
            #expect(notified == (try notices[0].int64("apart")) && notified > 0)
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
            let event = try await store.directory.createEvent(store.eventDraft(capacity: 1), by: host).event.id
            var guests: [UserID] = []
            for name in ["Bo", "Cy", "Di", "Ed"] { guests.append(try await store.person(name).user.id) }
            for guest in guests { _ = try await store.directory.reply(.yes, to: event, by: guest) }
            func rsvpStatus(_ place: Int) async throws -> RSVPStatus? {
                try await store.directory.event(event, for: host).rsvpStatus(of: guests[place])
            }
            #expect(try await rsvpStatus(3) == RSVPStatus(rsvp: .waiting, waitingPlace: 3))
            _ = try await store.directory.reply(.no, to: event, by: guests[0])
            #expect(try await rsvpStatus(1) == RSVPStatus(rsvp: .yes))
            _ = try await store.directory.removeGuest(guests[1], from: event, by: host)
            #expect(try await rsvpStatus(2) == RSVPStatus(rsvp: .yes))
            #expect(try await rsvpStatus(1) == RSVPStatus(rsvp: nil))
            let removed = guests[1]
            let back = await failure {
                _ = try await store.directory.reply(.yes, to: event, by: removed)
            }
            #expect(back == .forbidden)
            _ = try await store.directory.deleteAccount(guests[2])
            #expect(try await rsvpStatus(3) == RSVPStatus(rsvp: .yes))
            for guest in [guests[1], guests[3]] { #expect(try await store.notified(guest) == ["event_place"]) }
            let list = try await store.directory.guests(of: event, after: nil, limit: 10, for: guests[3])
            #expect(list.guests.map(\.rsvp) == [.yes, .no])
            let stranger = try await store.person("Flo").user.id
            let refused = await failure {
                _ = try await store.directory.guests(of: event, after: nil, limit: 10, for: stranger)
            }
            #expect(refused == .forbidden)
            // The host goes, and with them the event.
            let deletion = try await store.directory.deleteAccount(host)
            #expect(deletion.changes.contains(.deleted(.event, id: event.rawValue)))
            #expect(try await store.notified(guests[3]) == ["event_place", "event_cancelled"])
            #expect(try await store.count("muster.event_guest") == 0)
        }
    }

    @Test("who leaves a group is no guest of its events any more, and theirs pass to its owner")
    func leaving() async throws {
        try await Store.with(clock: .system) { store in
            let (group, people) = try await store.group(3)
            let (owner, host, guest) = (people[0].user.id, people[1].user.id, people[2].user.id)
            let draft = store.eventDraft(capacity: 1, group: group.id)
            let event = try await store.directory.createEvent(draft, by: host).event.id
            _ = try await store.directory.reply(.yes, to: event, by: host)
            _ = try await store.directory.reply(.yes, to: event, by: guest)
            _ = try await store.directory.leave(group.id, user: host)
            let passed = try await store.directory.event(event, for: owner)
            #expect(passed.host.id == owner)
            #expect(passed.guests.map(\.user) == [guest])
            #expect(passed.guests.map(\.rsvp) == [.yes])
            #expect(try await store.notified(guest) == ["event_place"])
            // The owner leaves too: both pass to who is left.
            _ = try await store.directory.leave(group.id, user: owner)
            #expect(try await store.directory.event(event, for: guest).host.id == guest)
            _ = try await store.directory.leave(group.id, user: guest)
            #expect(try await store.count("muster.event") == 0)
        }
    }

    @Test("whom the host removed stays removed after leaving the group and joining it again")
    func removedForGood() async throws {
        try await Store.with(clock: .system) { store in
            let (group, people) = try await store.group(3)
            let (owner, removed, guest) = (people[0].user.id, people[1].user.id, people[2].user.id)
            let event = try await store.directory.createEvent(store.eventDraft(group: group.id), by: owner).event.id
            for person in [removed, guest] { _ = try await store.directory.reply(.yes, to: event, by: person) }
            _ = try await store.directory.removeGuest(removed, from: event, by: owner)
            for (person, expected) in [(removed, .forbidden), (guest, nil)] as [(UserID, Refusal?)] {
                _ = try await store.directory.leave(group.id, user: person)
                let code = try await store.directory.createInvite(to: group.id, by: owner).code
                _ = try await store.directory.join(code: code, user: person)
                let back = await failure {
                    _ = try await store.directory.reply(.yes, to: event, by: person)
                }
                #expect(back == expected)
            }
        }
    }
}
