import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Synchronization

/// Which events this process knows, whoever changed them: requests tell it at once, the change feed of all others.
final class EventBoard: Sendable {
    private struct State {
        var held = HeldRevisions<EventSubject>()
        var isLoaded = false
    }

    /// How many are read again at a time.
    private static let eventsAtOnce = 1_024
    /// How often, and in which distance, somebody who waits looks whether all have been read: for three seconds.
    private static let (looks, pause) = (60, Duration.milliseconds(50))

    private let state = Mutex(State())
    private let world: any WorldLink
    private let clock: MonotonicClock

    /// Begins with no event, and tells the world of each; maps wait until all are there.
    init(world: any WorldLink, atlas: any AtlasLink, clock: MonotonicClock) {
        self.world = world
        self.clock = clock
        atlas.send(.loadBegan(.events))
    }

    /// The time.
    var now: Timestamp { Timestamp(milliseconds: self.clock.wallMilliseconds) }

    /// Makes sure that all events have been read once; a client that comes right after the start waits for them a moment.
    ///
    /// - Throws: `unavailable`.
    func requireLoaded() async throws(FrameError) {
        for _ in 0..<Self.looks {
            if self.state.withLock({ $0.isLoaded }) { return }
            try? await Task.sleep(for: Self.pause)
        }
        throw FrameError(.unavailable, message: "Events are being loaded.", retryAfter: 500)
    }

    /// Takes in an event that was made or changed.
    func put(_ event: Event) {
        self.state.withLock { state in
            if state.held.put(event.id, revision: event.revision) { self.tell([event]) }
        }
    }

    /// Takes out events that were deleted.
    func remove(_ events: [EventID]) {
        self.state.withLock { state in
            for event in events { _ = state.held.remove(event) }
            // Also those that were over before this process knew them: their rooms are held.
            if !events.isEmpty { self.world.send(.events(.removed(events))) }
        }
    }

    private func tell(_ events: [Event]) {
        let now = self.now
        self.world.send(.events(.changed(events.map { EventNews($0, at: now) })))
    }
}

// MARK: - The change feed

extension EventBoard {
    /// The board's line in the table of kinds.
    var changeKind: ChangeKind {
        ChangeKind(
            "event",
            isKnown: { id, revision in self.state.withLock { $0.held.isKnown(EventID(id), revision: revision) } },
            readAgain: { (ids, directory) async throws(DirectoryError) in
                let ids = ids.map { EventID($0) }
                self.begin(ids)
                let events = try await directory.events(ids)
                self.read(events)
                self.end(gone: Set(ids).subtracting(events.map(\.id)))
            },
            compare: { (directory) async throws(DirectoryError) in
                self.begin(nil)
                var last: EventID?
                repeat {
                    let events = try await directory.openEvents(after: last)
                    self.read(events)
                    last = events.last?.id
                } while last != nil
                try await self.lookAgain(directory)
                self.end()
                self.noteLoaded()
            }
        )
    }

    /// Numbers of notifications that storage gave of its own accord, as when a guest who waited has a place.
    var notificationKind: ChangeKind {
        ChangeKind(
            "notification",
            // The world asks storage itself, when it holds the person; so nothing is left to read here.
            isKnown: { user, number in
                self.world.send(.notificationsGiven([NotificationNumber(user: UserID(user), number: number)]))
                return true
            },
            readAgain: { (_, _) async throws(DirectoryError) in },
            // What was missed is read at the next number, or hello.
            compare: { (_) async throws(DirectoryError) in }
        )
    }

    private func begin(_ ids: [EventID]?) { self.state.withLock { $0.held.beginReading(of: ids) } }

    private func read(_ events: [Event]) {
        self.state.withLock { state in
            let news = events.filter { state.held.read($0.id, revision: $0.revision) }
            if !news.isEmpty { self.tell(news) }
        }
    }

    /// Reads what was not among the events that are not over: it may be gone, or over, and is not held any more then.
    private func lookAgain(_ directory: Directory) async throws(DirectoryError) {
        var unseen = self.state.withLock { $0.held.unseen }[...]
        while !unseen.isEmpty {
            let events = try await directory.events(Array(unseen.prefix(Self.eventsAtOnce)))
            self.read(events)
            let over = events.filter { $0.endsAt <= self.now }
            self.state.withLock { state in for event in over { state.held.forget(event.id) } }
            unseen = unseen.dropFirst(Self.eventsAtOnce)
        }
    }

    private func end(gone: Set<EventID> = []) {
        self.state.withLock { state in
            let gone = gone.union(state.held.endReading()).sorted()
            if !gone.isEmpty { self.world.send(.events(.removed(gone))) }
        }
    }

    private func noteLoaded() {
        self.state.withLock { state in
            guard !state.isLoaded else { return }
            state.isLoaded = true
            self.world.send(.events(.loaded))
        }
    }
}
