/// How one person stands to an event.
package struct EventStanding: Sendable, Equatable, Codable {
    /// What they said, or what became of it; nil for nothing.
    package var rsvp: EventGuest.RSVP?
    /// Of one who waits, how many are next up to them, 1 for the first.
    package var waitingPlace: Int?

    /// Creates a standing.
    package init(rsvp: EventGuest.RSVP?, waitingPlace: Int? = nil) {
        self.rsvp = rsvp
        self.waitingPlace = waitingPlace
    }
}
