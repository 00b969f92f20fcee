import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Synchronization

/// The events that this process caches.
///
/// Requests report their changes at once; the change feed reports all others.
final class EventBoard: Sendable {
    private struct State {
        var held = HeldRevisions<EventSubject>()
        var isLoaded = false
    }

    /// The maximum number of events of one read.
    private static let eventsAtOnce = 1_024
    /// The number of checks, and the pause between them, while a client waits for the first load: three seconds in
    /// total.
    private static let (looks, pause) = (60, Duration.milliseconds(50))

    private let state = Mutex(State())
    private let world: any WorldLink
    private let clock: MonotonicClock

    /// Creates an empty board, which reports each event to the world.
    ///
    /// Maps wait until all events are loaded.
    init(world: any WorldLink, atlas: any AtlasLink, clock: MonotonicClock) {
        self.world = world
        self.clock = clock
        atlas.send(.loadBegan(.events))
    }

    /// The current time.
    var now: Timestamp { Timestamp(milliseconds: self.clock.wallMilliseconds) }

    /// Waits until all events have been read once.
    ///
    /// A client that connects right after the start waits for a moment.
    ///
    /// - Throws: `unavailable`.
    func requireLoaded() async throws(FrameError) {
        for _ in 0..<Self.looks {
            if self.state.withLock({ $0.isLoaded }) { return }
            try? await Task.sleep(for: Self.pause)
        }
        throw FrameError(.unavailable, message: "Events are being loaded.", retryAfter: 500)
    }

    /// Records an event that was created or changed.
    func put(_ event: Event) {
        self.state.withLock { state in
            if state.held.put(event.id, revision: event.revision) { self.tell([event]) }
        }
    }

    /// Removes events that were deleted.
    func remove(_ events: [EventID]) {
        self.state.withLock { state in
            for event in events { _ = state.held.remove(event) }
            // This includes events that had ended before this process knew them, because the world may hold their
            // rooms.
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
    /// The entry of events in the table of change kinds.
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

    /// The numbers of notifications that storage created by itself, for example when a waiting guest gets a place.
    var notificationKind: ChangeKind {
        ChangeKind(
            "notification",
            // The world reads from storage itself, if it holds the user. So no read is left to do here.
            isKnown: { user, number in
                self.world.send(.notificationsGiven([NotificationNumber(user: UserID(user), number: number)]))
                return true
            },
            readAgain: { (_, _) async throws(DirectoryError) in },
            // Missed notifications are read at the next number, or at `hello`.
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

    /// Reads cached events that are not among the open ones.
    ///
    /// They were deleted or are over, and are removed from the cache.
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
