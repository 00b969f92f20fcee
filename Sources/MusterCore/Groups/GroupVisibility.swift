/// A visibility snapshot: what a group may see of its members at one moment, and so what a picture of it may show.
package struct GroupVisibility: Sendable, Equatable {
    /// A member as the other members see them.
    package struct Member: Sendable, Equatable {
        package var user: UserProfile
        /// The precision of the visible position.
        package var mode: Sharing.Mode
        /// Whether share pictures may show the member.
        package var isPictured: Bool
        /// The visible position; without a coordinate when it is hidden or unknown.
        package var position: RosterEntry.Position
        /// Whether the member requested less visibility and storage has not confirmed it yet.
        var isNarrowing: Bool

        /// Describes a member.
        package init(
            user: UserProfile,
            mode: Sharing.Mode,
            isPictured: Bool,
            position: RosterEntry.Position,
            isNarrowing: Bool = false
        ) {
            self.user = user
            self.mode = mode
            self.isPictured = isPictured
            self.position = position
            self.isNarrowing = isNarrowing
        }
    }

    package var group: GroupID
    /// The revision of the group that the world uses.
    package var revision: Int64
    package var name: String
    /// All members, in the order of joining.
    package var members: [Member]
    /// The time of the snapshot.
    package var at: Timestamp

    /// Creates a snapshot.
    package init(group: GroupID, revision: Int64, name: String, members: [Member], at: Timestamp) {
        self.group = group
        self.revision = revision
        self.name = name
        self.members = members
        self.at = at
    }
}

extension GroupVisibility {
    /// The maximum age of a position in a picture, in milliseconds.
    static let longestAge: Int64 = 86_400_000

    /// The members that a picture shows: not opted out, not paused, and with a visible position of the last day.
    package var pictured: [Member] {
        self.members.filter { member in
            guard member.isPictured, member.mode != .paused, member.position.coordinate != nil,
                let at = member.position.at
            else { return false }
            return self.at - at <= Self.longestAge
        }
    }

    /// Whether a picture that `user` made may still be shown.
    ///
    /// The user need not appear in it. Storage withdraws the picture itself once it learns of the narrower sharing.
    package func stillShows(madeBy user: UserID) -> Bool {
        self.members.contains { $0.user.id == user && !$0.isNarrowing }
    }

    /// Whether a picture may still show a user with the precision of `mode`.
    package func stillShows(_ user: UserID, _ mode: Sharing.Mode) -> Bool {
        self.members.contains { $0.user.id == user && $0.isPictured && !$0.mode.isNarrower(than: mode) }
    }
}
