/// A group as one transaction of the directory left it: the only way in which membership reaches the world.
///
/// Creating, joining, leaving, renaming, changing settings, names or sharing all end in a snapshot with a higher
/// revision; the world takes the difference to what it has, and ignores a snapshot that is older.
package struct GroupSnapshot: Sendable, Equatable {
    /// What a member may do.
    package enum Role: String, Sendable, Codable {
        case owner
        case member
    }

    /// One member, with what the world needs when it does not know the person yet.
    package struct Member: Sendable, Equatable {
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
        /// When a device of theirs was last heard, from storage; likewise.
        package var lastSeen: Timestamp?
        /// The highest notification number they were ever given, from storage; likewise.
        package var lastNotification: Int64
        /// The notifications that wait to be seen, oldest first, from storage; likewise.
        package var unseen: [LeftWithoutYou]

        /// Creates a member.
        package init(
            user: UserProfile,
            role: Role = .member,
            sharing: Sharing = Sharing(),
            joinedAt: Timestamp,
            position: StoredPosition? = nil,
            lastSeen: Timestamp? = nil,
            lastNotification: Int64 = 0,
            unseen: [LeftWithoutYou] = []
        ) {
            self.user = user
            self.role = role
            self.sharing = sharing
            self.joinedAt = joinedAt
            self.position = position
            self.lastSeen = lastSeen
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

/// The machine state of a group as the journal wrote it; what is inside is the machine's own business.
package struct StoredGathering: Sendable, Equatable {
    /// The encoded machine.
    package var state: [UInt8]

    /// Wraps an encoded machine.
    package init(state: [UInt8]) { self.state = state }
}

/// What others see of a person beside their position.
package struct UserProfile: Sendable, Equatable {
    /// Who.
    package var id: UserID
    /// The name that they chose to be shown by.
    package var name: String
    /// The address of their picture; nil when they have none.
    package var avatar: String?

    /// Creates a profile.
    package init(id: UserID, name: String, avatar: String? = nil) {
        self.id = id
        self.name = name
        self.avatar = avatar
    }
}

/// A position as the `position` table holds it.
package struct StoredPosition: Sendable, Equatable {
    /// The device that took it.
    package var device: DeviceID
    /// The fix; its `at` is set.
    package var fix: Fix
    /// Whether the person stayed where they were (DESIGN 4), which keeps a position usable for longer.
    package var isStationary: Bool

    /// Creates a stored position.
    package init(device: DeviceID, fix: Fix, isStationary: Bool) {
        self.device = device
        self.fix = fix
        self.isStationary = isStationary
    }
}
