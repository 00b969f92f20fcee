/// The status of a user for an event.
package struct RSVPStatus: Sendable, Equatable {
    /// The answer, or its outcome; nil for none.
    package var rsvp: EventGuest.RSVP?
    /// The position on the waiting list, from 1; nil for users who do not wait.
    package var waitingPlace: Int?

    /// Creates a status.
    package init(rsvp: EventGuest.RSVP?, waitingPlace: Int? = nil) {
        self.rsvp = rsvp
        self.waitingPlace = waitingPlace
    }
}
