/// The inputs of phones' own apps.
package enum PhoneAppInput: Sendable {
    /// A tracker reported fixes, or only that it is alive.
    case reported(TrackerReport)
    /// A request for what a phone shows of others, answered by `PhoneAppEffect.viewed`.
    case viewRequested(PhoneViewRequest)
}

/// A request for what a phone shows of others.
package struct PhoneViewRequest: Sendable, Equatable {
    /// The number of the request.
    package var number: Int64
    /// The user of the phone.
    package var user: UserID
    /// The groups of the user, in storage.
    package var groups: [GroupID]
    /// The users whom this user has blocked.
    package var blocked: [UserID]

    /// Creates a request.
    package init(number: Int64, user: UserID, groups: [GroupID], blocked: [UserID]) {
        self.number = number
        self.user = user
        self.groups = groups
        self.blocked = blocked
    }
}
