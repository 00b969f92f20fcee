/// What a group sees of its members at a moment: what a picture of it may show.
package struct GroupSight: Sendable, Equatable, Codable {
    /// A member as the others see them.
    package struct Member: Sendable, Equatable, Codable {
        package var user: UserProfile
        /// How exactly they are seen.
        package var mode: Sharing.Mode
        /// Whether pictures may show them.
        package var isPictured: Bool
        /// Where they are, as far as they let the group see; without a coordinate when that is hidden or unknown.
        package var position: RosterEntry.Position
        /// Whether they want to be seen less, or on no pictures, and storage does not know it yet.
        package var isNarrowing: Bool

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
    /// The revision of the group that the world goes by.
    package var revision: Int64
    package var name: String
    /// All members, in the order of joining.
    package var members: [Member]
    /// The moment of which this is true.
    package var at: Timestamp

    /// Describes a group.
    package init(group: GroupID, revision: Int64, name: String, members: [Member], at: Timestamp) {
        self.group = group
        self.revision = revision
        self.name = name
        self.members = members
        self.at = at
    }
}

extension GroupSight {
    /// The age from which on a position is on no picture, in milliseconds.
    package static let longestAge: Int64 = 86_400_000

    /// Those whom a picture shows: who lets the group see where they were within a day, and does not mind.
    package var pictured: [Member] {
        self.members.filter { member in
            guard member.isPictured, member.mode != .paused, member.position.coordinate != nil,
                let at = member.position.at
            else { return false }
            return self.at - at <= Self.longestAge
        }
    }

    /// Whether what a member has made may still be shown, who need not be on it: storage takes it back when it hears of less.
    package func stillShows(madeBy user: UserID) -> Bool {
        self.members.contains { $0.user.id == user && !$0.isNarrowing }
    }

    /// Whether a picture may still show a person as exactly as `mode` says.
    package func stillShows(_ user: UserID, _ mode: Sharing.Mode) -> Bool {
        self.members.contains { $0.user.id == user && $0.isPictured && !$0.mode.isNarrower(than: mode) }
    }
}
