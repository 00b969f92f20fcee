/// Somebody who said whether they come to an event.
package struct EventGuest: Sendable, Equatable, Codable {
    /// How they stand.
    package enum RSVP: String, Sendable, Codable, CaseIterable {
        /// They come, and have a place.
        case yes
        /// They may come; that takes no place.
        case maybe
        /// They would come, and there was no place yet.
        case waiting
        /// They do not come.
        case no
        /// The host took them off the list, for good.
        case removed
    }

    package var user: UserID
    package var rsvp: RSVP
    /// When they said so; of those who wait, the first is next.
    package var askedAt: Timestamp

    /// Creates a guest.
    package init(user: UserID, rsvp: RSVP, askedAt: Timestamp) {
        self.user = user
        self.rsvp = rsvp
        self.askedAt = askedAt
    }

    /// Whether the event concerns them.
    package var isConcerned: Bool {
        switch self.rsvp {
        case .yes, .maybe, .waiting: true
        case .no, .removed: false
        }
    }
}
