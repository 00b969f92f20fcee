import EventLoop
import MusterTestSupport
import Synchronization
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import Postgres

@Suite struct ChangeFeedTests {
    /// The events that a feed has sent.
    private final class ReceivedEvents: Sendable {
        private let events = Mutex<[ChangeFeed.Event]>([])

        func note(_ event: ChangeFeed.Event) { self.events.withLock { $0.append(event) } }

        var all: [ChangeFeed.Event] { self.events.withLock { $0 } }

        var notices: [ChangeNotice] {
            self.all.flatMap { (event) -> [ChangeNotice] in
                if case .changed(let notices) = event { notices } else { [] }
            }
        }
    }

    private func withFeed(_ body: (Store, ReceivedEvents) async throws -> Void) async throws {
        try await Store.with { store in
            let notified = ReceivedEvents()
            let feed = ChangeFeed(connectionString: store.connectionString) { notified.note($0) }
            defer { feed.close() }
            try await waitUntil { notified.all == [.listening] }
            try await body(store, notified)
        }
    }

    private static let place = Coordinate(latitude: 48.2, longitude: 16.37)

    @Test("each row of a kind that is changed is told once, with its revision after the change")
    func rows() async throws {
        try await self.withFeed { store, notified in
            let ada = try await store.person("Ada").user.id
            guard
                case .posted(let pin) = try await store.directory.postPin(PinPost("One", at: Self.place), by: ada).value
            else { throw PostgresError(.misuse, message: "not posted") }
            let id = pin.id.rawValue
            var expected = [ChangeNotice("pin \(id) \(pin.revision)")]
            try await waitUntil { notified.notices == expected }
            try await store.pool.query("UPDATE muster.pin SET text = 'Two'")
            expected.append(ChangeNotice("pin \(id) \(pin.revision + 1)"))
            try await waitUntil { notified.notices == expected }
            try await store.pool.query(
                "UPDATE muster.account SET name = 'Ada L.' WHERE id = $1",
                [.int64(ada.rawValue)]
            )
            expected.append(ChangeNotice("pin \(id) \(pin.revision + 2)"))
            try await waitUntil { notified.notices == expected }
            _ = try await store.directory.deleteAccount(ada)
            expected.append(ChangeNotice("pin \(id) \(pin.revision + 3)"))
            try await waitUntil { notified.notices == expected }
            try await store.pool.query("TRUNCATE muster.pin")
            expected.append(ChangeNotice("pin 0 0"))
            try await waitUntil { notified.notices == expected }
        }
    }

    @Test("a spot is announced when it is added, changed, loses its photo, and is deleted")
    func spots() async throws {
        try await self.withFeed { store, notified in
            let ada = try await store.person("Ada").user.id
            let photo = try await store.photo(of: ada)
            let draft = SpotAdd(at: Self.place, comment: "Café", photo: photo.id)
            let spot = try await store.directory.addSpot(draft, by: ada)
            try await store.pool.query("UPDATE muster.spot SET comment = 'Bar'")
            try await store.pool.query("DELETE FROM muster.photo")
            _ = try await store.directory.deleteSpot(spot.id, by: ada)
            let expected = try (1...4).map { try #require(ChangeNotice("spot \(spot.id) \($0)")) }
            try await waitUntil { notified.notices == expected }
        }
    }

    @Test("a commit without such a row notifies nobody: no fix, group or vote does")
    func silence() async throws {
        try await self.withFeed { store, notified in
            let (group, people) = try await store.group(2)
            let user = people[0].user.id
            let spot = try await store.directory.addSpot(SpotAdd(at: Self.place, comment: "Café"), by: user)
            let first = try #require(ChangeNotice("spot \(spot.id) 1"))
            try await waitUntil { notified.notices == [first] }
            let device = try await store.directory.hello(token: people[0].token, device: .init(key: "a", kind: .phone))
                .arrival.device
            let journal = TestJournal(store)
            journal.submit((1...10).map { .fix(.sample(device, user, $0, at: store.now + $0)) })
            journal.submit([.position(user, .sample(device, 10, at: store.now), .ok)])
            try await journal.flush()
            _ = try await store.directory.vote(.like, on: spot.id, by: people[1].user.id)
            _ = try await store.directory.say(.paused, group: group.id, of: user)
            _ = try await store.directory.updateProfile(of: user, ProfileChange(name: "Another"))
            try await journal.finish()
            // A notice sent after these changes is the first to arrive.
            try await store.pool.query("SELECT pg_notify('muster_change', 'last 1 1')")
            try await waitUntil { notified.notices.count > 1 }
            #expect(notified.notices == [first, try #require(ChangeNotice("last 1 1"))])
        }
    }

    @Test("a connection that is lost is told, and made anew")
    func lost() async throws {
        try await self.withFeed { store, notified in
            for round in 1...3 {
                try await store.pool.query(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()",
                    [.text(ChangeFeed.applicationName)]
                )
                let expected = [ChangeFeed.Event.listening] + (1...round).flatMap { _ in [.lost, .listening] }
                try await waitUntil { notified.all == expected }
            }
            try await store.pool.query(
                "SELECT pg_notify('muster_change', 'pin 5 6'), pg_notify('muster_change', 'what')"
            )
            try await waitUntil { notified.notices == [ChangeNotice("pin 5 6")] }
        }
    }

    @Test("a feed that cannot connect ends all the same")
    func closing() async {
        let feed = ChangeFeed(connectionString: "host=/nonexistent-muster dbname=none") { _ in }
        await onCloser { feed.close() }
        await onCloser { feed.close() }
    }

    private func onCloser(_ body: @escaping @Sendable () -> Void) async {
        _ = try? await onWorkerThread { body() }
    }

    @Test("what is no notice is none", arguments: ["", "pin", "pin 5", "pin 5 x", "pin  5 6", " 5 6", "pin 5 6 7"])
    func foreign(payload: String) {
        #expect(ChangeNotice(payload) == nil)
    }
}
