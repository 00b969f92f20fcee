/// What the phone of a user shows of others, and asks of its user, at one moment.
package struct PhoneView: Sendable, Equatable {
    /// A member of a common group.
    package struct Friend: Sendable, Equatable {
        package var user: UserProfile
        /// The position by the widest view that a common group gives; without a coordinate when none gives one.
        package var position: RosterEntry.Position

        /// Describes a friend.
        package init(user: UserProfile, position: RosterEntry.Position) {
            self.user = user
            self.position = position
        }
    }

    /// The members of the user's groups, each once, without the user.
    package var friends: [Friend]
    /// Whether a member waits for the user's position.
    package var isAsked: Bool
    /// The unseen notifications, by number.
    package var unseen: [NumberedNotification]
    /// The time of the view.
    package var at: Timestamp

    /// Creates a view.
    package init(friends: [Friend], isAsked: Bool = false, unseen: [NumberedNotification] = [], at: Timestamp) {
        self.friends = friends
        self.isAsked = isAsked
        self.unseen = unseen
        self.at = at
    }
}
