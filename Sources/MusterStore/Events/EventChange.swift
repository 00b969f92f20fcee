package import MusterCore

/// An event as a change left it, and whom to tell.
package struct EventChange: Sendable {
    /// The event as it is now.
    package var event: Event
    /// What was stored for people, to be sent to them.
    package var publications: [Publication] = []
    /// Rooms in which it was said.
    package var rooms: [RoomID] = []
    /// Whether the host had an older version before them, so that nothing changed.
    package var isStale = false

    /// Tells of an event.
    package init(_ event: Event, publications: [Publication] = [], rooms: [RoomID] = [], isStale: Bool = false) {
        self.event = event
        self.publications = publications
        self.rooms = rooms
        self.isStale = isStale
    }
}
