/// A group as one transaction of the directory left it: the only way in which membership reaches the world.
///
/// Creating, joining, leaving, renaming, changing settings, names or sharing all end in a snapshot with a higher
/// revision; the world takes the difference to what it has, and ignores a snapshot that is older.
package struct GroupSnapshot: Sendable, Equatable, Codable {
    /// What a member may do.
    package enum Role: String, Sendable, Codable {
        case owner
        case member
    }

    /// One member, with what the world needs when it does not know the person yet.
    package struct Member: Sendable, Equatable, Codable {
        /// Who.
        package var user: UserProfile
        /// What they may do.
        package var role: Role
        /// What they let this group see.
        package var sharing: Sharing
        /// When they joined.
        package var joinedAt: Timestamp
        /// Their newest shown position, from storage; used only for a person whom the world does not hold.
        package var position: StoredPosition?
        /// Where they were by the last fix that gatherings use, when `position` is none of those; likewise.
        package var usablePosition: StoredPosition?
        /// When a device of theirs was last heard, from storage; likewise.
        package var lastSeen: Timestamp?
        /// Their presence as the journal last wrote it; likewise, and held for a while after a restart.
        package var presence: Presence
        /// The highest notification number they were ever given, from storage; likewise.
        package var lastNotification: Int64
        /// The notifications that wait to be seen, oldest first, from storage; likewise.
        package var unseen: [NumberedNotification]

        /// Creates a member.
        package init(
            user: UserProfile,
            role: Role = .member,
            sharing: Sharing = Sharing(),
            joinedAt: Timestamp,
            position: StoredPosition? = nil,
            usablePosition: StoredPosition? = nil,
            lastSeen: Timestamp? = nil,
            presence: Presence = .offline,
            lastNotification: Int64 = 0,
            unseen: [NumberedNotification] = []
        ) {
            self.user = user
            self.role = role
            self.sharing = sharing
            self.joinedAt = joinedAt
            self.position = position
            self.usablePosition = usablePosition
            self.lastSeen = lastSeen
            self.presence = presence
            self.lastNotification = lastNotification
            self.unseen = unseen
        }
    }

    /// Which group.
    package var id: GroupID
    /// Rises with each change; orders snapshots.
    package var revision: Int64
    /// What members call it.
    package var name: String
    /// What the owner chose.
    package var settings: GroupSettings
    /// All members by the time they joined; empty when the group was deleted.
    package var members: [Member]
    /// The gathering machine as the journal last wrote it, when the group is loaded for the first time.
    package var gathering: StoredGathering?

    /// Creates a snapshot.
    package init(
        id: GroupID,
        revision: Int64,
        name: String,
        settings: GroupSettings = GroupSettings(),
        members: [Member],
        gathering: StoredGathering? = nil
    ) {
        self.id = id
        self.revision = revision
        self.name = name
        self.settings = settings
        self.members = members
        self.gathering = gathering
    }
}
