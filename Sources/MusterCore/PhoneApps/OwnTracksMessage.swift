/// A message in the answer to a report of OwnTracks.
///
/// Android's app drops the whole answer when it contains a type that it does not know. There are no others than these.
package enum OwnTracksMessage: Sendable, Equatable {
    /// The name and the face of a friend.
    case card(UserProfile)
    /// The position of a friend.
    case location(UserID, RosterEntry.Position)
    /// A friend who shares nothing.
    case clear(UserID)
    /// A request for the phone's position.
    case reportLocation
    /// An alert: a notification's number and text, and the friend and place that it is shown with.
    case transition(OwnTracksAlert)

    /// The tracker id of a friend, unique within an answer: both apps tell friends apart by it alone.
    package static func trackerID(of user: UserID) -> String { String(user.rawValue, radix: 36) }
}

/// An alert as OwnTracks shows it.
package struct OwnTracksAlert: Sendable, Equatable {
    package var number: Int64
    package var user: UserID
    package var coordinate: Coordinate
    package var at: Timestamp
    package var text: String
}
