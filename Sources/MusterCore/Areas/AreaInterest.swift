/// The subject of a subscription to an area.
package enum AreaSubject: String, Sendable {
    /// New spots.
    case spots
    /// Spots that a wearable shows.
    case glances
    /// Upcoming events.
    case events
}

/// A session's subscription to an area: one per subject.
package struct AreaInterest: Hashable, Sendable {
    package var session: SessionID
    package var subject: AreaSubject

    /// Creates a subscription.
    package init(_ session: SessionID, _ subject: AreaSubject) {
        self.session = session
        self.subject = subject
    }
}
