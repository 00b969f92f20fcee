/// The state of a group after one directory transaction; membership reaches the world only in this form.
///
/// Creating, joining, leaving, renaming and changes to settings, names or sharing all produce a snapshot with a higher
/// revision. The world applies the difference to its own state and ignores older snapshots.
package struct GroupSnapshot: Sendable, Equatable {
    /// The role of a member.
    package enum Role: String, Sendable, Encodable {
        case owner
        case member
    }

    /// A member, with the stored state that the world needs for a user it does not know yet.
    package struct Member: Sendable, Equatable {
        /// The user.
        package var user: UserProfile
        /// The member's role.
        package var role: Role
        /// The member's sharing setting for this group.
        package var sharing: Sharing
        /// The time of joining.
        package var joinedAt: Timestamp
        /// The newest shown position in storage.
        ///
        /// Ignored when the world already knows the user.
        package var position: StoredPosition?
        /// The newest stored position that gatherings may use, when `position` is not usable for them.
        ///
        /// Ignored when the world already knows the user.
        package var usablePosition: StoredPosition?
        /// The time of the last contact with any device of the user.
        ///
        /// Ignored when the world already knows the user.
        package var lastSeen: Timestamp?
        /// The presence that the journal wrote last.
        ///
        /// Ignored for a known user; after a restart it holds for a grace period.
        package var presence: Presence
        /// The highest notification number ever assigned to the user.
        ///
        /// Ignored when the world already knows the user.
        package var lastNotification: Int64
        /// The unseen notifications, oldest first.
        ///
        /// Ignored when the world already knows the user.
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

    /// The group.
    package var id: GroupID
    /// The revision, which rises with each change and orders snapshots.
    package var revision: Int64
    /// The group's name.
    package var name: String
    /// The settings that the owner chose.
    package var settings: GroupSettings
    /// All members in the order of joining; empty when the group was deleted.
    package var members: [Member]
    /// The stored state of the gathering machine, when the group is loaded for the first time.
    package var gathering: GatheringState?
    /// The places, by id.
    package var places: [GroupPlace]
    /// The stored states at the places, when the group is loaded for the first time.
    package var arrivals: StoredArrivals?

    /// Creates a snapshot.
    package init(
        id: GroupID,
        revision: Int64,
        name: String,
        settings: GroupSettings = GroupSettings(),
        members: [Member],
        gathering: GatheringState? = nil,
        places: [GroupPlace] = [],
        arrivals: StoredArrivals? = nil
    ) {
        self.id = id
        self.revision = revision
        self.name = name
        self.settings = settings
        self.members = members
        self.gathering = gathering
        self.places = places
        self.arrivals = arrivals
    }
}
