import MusterCore

/// An event after a change, with the notifications to publish.
struct EventChange: Sendable {
    /// The current state of the event.
    var event: Event
    /// The stored notifications to publish.
    var publications: [Publication] = []
    /// The rooms with a new message about the event.
    var rooms: [RoomID] = []
    /// Whether the host's version was outdated, so that nothing changed.
    var isStale = false

    /// The changes of live state.
    var changes: [Change] {
        guard !self.isStale else { return [] }
        return [.row(.event(self.event))] + (self.rooms.isEmpty ? [] : [.rooms(self.rooms)])
    }

    /// Creates a result.
    init(_ event: Event, publications: [Publication] = [], rooms: [RoomID] = [], isStale: Bool = false) {
        self.event = event
        self.publications = publications
        self.rooms = rooms
        self.isStale = isStale
    }
}

extension Committed where Value == EventChange {
    /// An event after a change.
    init(_ change: EventChange) { self.init(change, change.changes) }
}
