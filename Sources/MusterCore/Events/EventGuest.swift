/// A user who answered an invitation to an event.
package struct EventGuest: Sendable, Equatable {
    /// The status of a guest.
    package enum RSVP: String, Sendable, CaseIterable, Encodable {
        /// Accepted, with a place.
        case yes
        /// Undecided; takes no place.
        case maybe
        /// Accepted, but waiting for a place.
        case waiting
        /// Declined.
        case no
        /// Removed by the host permanently.
        case removed
    }

    package var user: UserID
    package var rsvp: RSVP
    /// The time of the answer, which orders the waiting list.
    package var askedAt: Timestamp

    /// Creates a guest.
    package init(user: UserID, rsvp: RSVP, askedAt: Timestamp) {
        self.user = user
        self.rsvp = rsvp
        self.askedAt = askedAt
    }

    /// Whether the guest is accepted, undecided or waiting.
    package var isConcerned: Bool {
        switch self.rsvp {
        case .yes, .maybe, .waiting: true
        case .no, .removed: false
        }
    }
}
