import EventLoop
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import Postgres

@Suite("Events in storage") struct EventTests {
    private static let hour: Int64 = 3_600_000

    @Test("an event is made once for a key, and seen by everybody; a group's by its members")
    func make() async throws {
        try await Store.with(clock: .system) { store in
            let ada = try await store.person("Ada").user
            let photo = try await store.photo(of: ada.id)
            let draft = store.eventDraft(capacity: 3, photo: photo.id, hidesPlace: true)
            let event = try await store.directory.createEvent(draft, by: ada.id).event
            #expect(event.host == ada)
            #expect(event.coordinate == Store.wall)
            #expect(event.photo == photo)
            #expect(event.endsAt == draft.startsAt + 2 * Self.hour)
            #expect(event.clock.count == 5)
            var other = store.eventDraft(title: "Another")
            #expect(try await store.directory.createEvent(other, by: ada.id).event == event)
            other.key = "other"
            other.photo = photo.id
            let taken = await failure {
                _ = try await store.directory.createEvent(other, by: ada.id)
            }
            #expect(taken == .notFound)
            let bo = try await store.person("Bo").user
            #expect(try await store.directory.event(event.id, for: bo.id) == event)

            let (group, people) = try await store.group(2)
            let draftOfGroup = store.eventDraft(group: group.id)
            let own = try await store.directory.createEvent(draftOfGroup, by: people[1].user.id).event
            #expect(try await store.directory.event(own.id, for: people[0].user.id) == own)
            let hidden = await failure {
                _ = try await store.directory.event(own.id, for: bo.id)
            }
            #expect(hidden == .notFound)
            let stranger = await failure {
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
                var draft = store.eventDraft()
                change(&draft)
                let refused = draft
                let code = await failure {
                    _ = try await store.directory.createEvent(refused, by: ada.id)
                }
                #expect(code == .badRequest(field: field))
            }
            #expect(try await store.count("muster.event") == 0)
            for number in 0..<Directory.openEventsPerPerson {
                _ = try await store.directory.createEvent(store.eventDraft(key: "\(number)"), by: ada.id)
            }
            let full = await failure {
                _ = try await store.directory.createEvent(store.eventDraft(key: "more"), by: ada.id)
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
            let event = try await store.directory.createEvent(store.eventDraft(capacity: 1), by: ada.id).event
            _ = try await store.directory.reply(.yes, to: event.id, by: bo.id)
            _ = try await store.directory.reply(.yes, to: event.id, by: cy.id)
            _ = try await store.directory.reply(.no, to: event.id, by: bo.id)
            #expect(try await store.notified(cy.id) == ["event_place"])
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
            let event = try await store.directory.createEvent(store.eventDraft(capacity: 1), by: ada.id).event
            _ = try await store.directory.reply(.yes, to: event.id, by: bo.id)
            var update = EventUpdate(event.id, version: 1)
            update.text = .replaced("Bring shoes")
            update.place = .removed
            let forbidden = update
            let code = await failure {
                _ = try await store.directory.updateEvent(forbidden, by: bo.id)
            }
            #expect(code == .forbidden)
            let first = try await store.directory.updateEvent(update, by: ada.id)
            #expect(first.event.text == "Bring shoes" && first.event.place == nil && first.event.version == 2)
            #expect(try await store.notified(bo.id) == ["event_changed"])
            let stale = try await store.directory.updateEvent(update, by: ada.id)
            #expect(stale.isStale && stale.event == first.event)
            update = EventUpdate(event.id, version: 2)
            update.capacity = .replaced(5)
            _ = try await store.directory.updateEvent(update, by: ada.id)
            #expect(try await store.notified(bo.id).count == 1, "how many may come is no news")
            update = EventUpdate(event.id, version: 3)
            update.startsAt = event.startsAt + Self.hour
            let moved = try await store.directory.updateEvent(update, by: ada.id)
            #expect(moved.event.endsAt == event.endsAt + Self.hour)
            let notified = try await store.directory.inbox(of: bo.id).unseen
            #expect(notified.last?.content.payload["changed"] == .list([.text("startsAt"), .text("endsAt")]))
            #expect(moved.publications.map(\.audience) == [.people([bo.id]), .people([bo.id])])
            #expect(try await store.notified(bo.id) == ["event_changed"], "the first one told the old time")
            _ = try await store.directory.cancelEvent(event.id, by: ada.id)
            #expect(try await store.notified(bo.id).last == "event_cancelled")
            let gone = await failure {
                _ = try await store.directory.reply(.no, to: event.id, by: bo.id)
            }
            #expect(gone == .gone)
        }
    }

    @Test(
        "a guest whom an operator changes changes the event, and the place goes on; so does a guest's new name or face"
    )
    func behindTheBack() async throws {
        try await Store.with(clock: .system) { store in
            let (directory, pool) = (store.directory, store.pool)
            let host = try await store.person("Ada").user.id
            let event = try await directory.createEvent(store.eventDraft(capacity: 1), by: host).event.id
            let (bo, cy) = (try await store.person("Bo").user.id, try await store.person("Cy").user.id)
            _ = try await directory.reply(.yes, to: event, by: bo)
            let before = try await directory.reply(.yes, to: event, by: cy).event.revision
            try await pool.query("UPDATE muster.event_guest SET rsvp = 'no' WHERE user_id = $1", [.int64(bo.rawValue)])
            let changed = try await directory.event(event, for: host)
            #expect(changed.revision == before + 1 && changed.rsvpStatus(of: cy) == RSVPStatus(rsvp: .yes))
            #expect(try await store.notified(cy) == ["event_place"])
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
            let event = try await store.directory.createEvent(store.eventDraft(), by: ada).event
            _ = try await store.directory.reply(.maybe, to: event.id, by: bo)
            let key = try await store.directory.calendarKey(of: bo)
            #expect(try await store.directory.calendarKey(of: bo) == key)
            #expect(try await store.directory.calendarOwner(key: key) == bo)
            #expect(try await store.directory.calendarEvents(of: bo).map(\.id) == [event.id])
            let next = try await store.directory.renewCalendarKey(of: bo)
            #expect(next != key)
            for wrong in [key, "", "'", String(repeating: "f", count: 32)] {
                let code = await failure {
                    _ = try await store.directory.calendarOwner(key: wrong)
                }
                #expect(code == .notFound)
            }
            let (events, cursor) = try await store.directory.events(of: bo, after: nil, limit: 1)
            #expect(events.map(\.id) == [event.id] && cursor == nil)
        }
    }
}
