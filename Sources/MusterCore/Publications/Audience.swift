/// Whom a publication is for; the world finds their sessions.
package enum Audience: Sendable, Equatable, Codable {
    /// These people, in a group or not.
    case people([UserID])
    /// The members of a group, but for one of them.
    case group(GroupID, except: UserID?)
    /// Whoever watches an area, in which a point lies, for a subject; but for one person.
    case area(AreaSubject, at: Coordinate, except: UserID?)
}

/// A session that is told of something at a place.
package struct NearbySession: Sendable, Equatable, Codable {
    package var session: SessionID
    /// Metres from its person to the place; nil when nobody knows where they are.
    package var distance: Double?

    /// Names a session.
    package init(_ session: SessionID, distance: Double?) {
        self.session = session
        self.distance = distance
    }
}
