/// What somebody can watch an area for.
package enum AreaSubject: String, Sendable, Codable {
    /// Spots that are added.
    case spots
    /// Spots that a watch shows.
    case glances
    /// Events that are to come.
    case events
}

/// What a session watches: it has one area a subject.
package struct AreaInterest: Hashable, Sendable, Codable {
    package var session: SessionID
    package var subject: AreaSubject

    /// Names an interest.
    package init(_ session: SessionID, _ subject: AreaSubject) {
        self.session = session
        self.subject = subject
    }
}
