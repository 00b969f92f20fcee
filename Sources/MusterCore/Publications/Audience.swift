/// The recipients of a publication; the world finds their sessions.
package enum Audience: Sendable, Equatable {
    /// These users, in a group or not.
    case people([UserID])
    /// The members of a group, except one of them.
    case group(GroupID, except: UserID?)
    /// The users whose area of interest for a subject contains a point, except one of them.
    case area(AreaSubject, at: Coordinate, except: UserID?)
}

/// A session that receives a message about a place.
package struct NearbySession: Sendable, Equatable {
    package var session: SessionID
    /// The distance from the session's user to the place in metres; nil when the user's position is unknown.
    package var distance: Double?

    /// Creates a recipient.
    package init(_ session: SessionID, distance: Double?) {
        self.session = session
        self.distance = distance
    }
}
