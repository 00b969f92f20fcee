import EventLoop
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("What changes of events wait for") struct EventLockTests {
    /// What tells two people of an event, of whom the one with the higher id comes first.
    enum Notifier: CaseIterable {
        case places
        case move
        case deletion
        case guests
        case leaving
    }

    @Test(
        "people who are told of events are locked in the order of their ids, so that who waits for one keeps no other",
        arguments: Notifier.allCases
    )
    func locks(notifying: Notifier) async throws {
        try await Store.with(clock: .system) { store in
            let (directory, pool) = (store.directory, store.pool)
            let (group, people) = try await store.group(5)
            let host = people[1].user.id
            let ids = people.suffix(3).map(\.user.id).sorted()
            let (low, high, guest) = (ids[0], ids[1], ids[2])
            var events: [EventID] = []
            for key in ["a", "b"] {
                let isHidden = notifying == .move
                let draft = store.eventDraft(
                    key: key,
                    capacity: isHidden ? nil : 1,
                    group: group.id,
                    hidesPlace: isHidden
                )
                events.append(try await directory.createEvent(draft, by: host).event.id)
            }
            switch notifying {
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
            if notifying == .places { update.capacity = .replaced(3) } else { update.title = "Later" }
            let change = update
            let lock = "SELECT id FROM muster.account WHERE id = $1 FOR NO KEY UPDATE"
            let task = try await store.transaction { other in
                try await other.query(lock, [.int64(low.rawValue)])
                let task = Task {
                    switch notifying {
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
                switch notifying {
                case .places, .guests, .leaving: "event_place"
                case .move: "event_changed"
                case .deletion: "event_cancelled"
                }
            for user in [low, high] { #expect(try await store.notified(user).contains(kind), "\(user)") }
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
}
