/// A member as others see them.
///
/// The two parts change at different rates and are sent separately.
package struct RosterEntry: Sendable, Equatable {
    /// The identity and presence of the member.
    package struct Profile: Sendable, Equatable {
        package var name: String
        package var avatar: String?
        /// The time of the last contact with any of their devices; nil while online, or when there was none.
        @Packed package var lastSeen: Timestamp?
        package var role: GroupSnapshot.Role
        package var presence: Presence
        package var sharing: Sharing.Mode
        /// Whether an earlier version of this epoch carried a `lastSeen`, so that its removal must be sent.
        package var withdrawsLastSeen: Bool

        /// Creates the slowly changing part.
        package init(
            name: String,
            avatar: String? = nil,
            role: GroupSnapshot.Role,
            presence: Presence,
            sharing: Sharing.Mode,
            lastSeen: Timestamp? = nil,
            withdrawsLastSeen: Bool = false
        ) {
            self.name = name
            self.avatar = avatar
            self.role = role
            self.presence = presence
            self.sharing = sharing
            self.lastSeen = lastSeen
            self.withdrawsLastSeen = withdrawsLastSeen
        }
    }

    /// The position, as far as the member shares it with this group.
    package struct Position: Sendable, Equatable {
        /// The optional fields of a position.
        package struct Fields: OptionSet, Sendable, Hashable {
            package let rawValue: UInt8
            package init(rawValue: UInt8) { self.rawValue = rawValue }

            package static let place = Self(rawValue: 1 << 0)
            package static let accuracy = Self(rawValue: 1 << 1)
            package static let altitude = Self(rawValue: 1 << 2)
            package static let speed = Self(rawValue: 1 << 3)
            package static let course = Self(rawValue: 1 << 4)
            package static let battery = Self(rawValue: 1 << 5)
        }

        /// The coordinate; nil when unknown or hidden.
        @Packed package var coordinate: Coordinate?
        @Packed package var at: Timestamp?
        @Packed package var accuracy: Float?
        @Packed package var altitude: Float?
        @Packed package var speed: Float?
        @Packed package var course: Float?
        @Packed package var battery: Float?
        package var freshness: Freshness
        /// Fields that an earlier version of this epoch carried and that are absent now; they are sent as null.
        package var withdrawn: Fields

        /// Creates the fast changing part; the default is an unknown position.
        package init(
            coordinate: Coordinate? = nil,
            at: Timestamp? = nil,
            accuracy: Float? = nil,
            altitude: Float? = nil,
            speed: Float? = nil,
            course: Float? = nil,
            battery: Float? = nil,
            freshness: Freshness = .unknown,
            withdrawn: Fields = []
        ) {
            self.coordinate = coordinate
            self.at = at
            self.accuracy = accuracy
            self.altitude = altitude
            self.speed = speed
            self.course = course
            self.battery = battery
            self.freshness = freshness
            self.withdrawn = withdrawn
        }
    }

    package var user: UserID
    /// The profile; nil when unchanged.
    package var profile: Profile?
    /// The version at which the profile last changed.
    package var profileVersion: UInt64
    /// The position; nil when unchanged.
    package var position: Position?
    /// The version at which the position last changed.
    package var positionVersion: UInt64

    /// Creates an entry.
    package init(
        user: UserID,
        profile: Profile? = nil,
        profileVersion: UInt64 = 0,
        position: Position? = nil,
        positionVersion: UInt64 = 0
    ) {
        self.user = user
        self.profile = profile
        self.profileVersion = profileVersion
        self.position = position
        self.positionVersion = positionVersion
    }
}
