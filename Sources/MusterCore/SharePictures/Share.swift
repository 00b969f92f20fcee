/// A picture of a group's positions, which can be viewed by its address until it expires.
package struct Share: Sendable, Equatable {
    /// The permitted lifetime in seconds.
    package static let lifetimes = 300...86_400
    /// The default lifetime in seconds.
    package static let usualLifetime = 3_600
    /// The maximum number of pictures that a user may make of one group per hour.
    package static let mostPerHour = 5

    package var id: ShareID
    package var group: GroupID
    /// The creator.
    package var maker: UserProfile
    /// The users in the picture, by rising id.
    package var shown: [UserID]
    /// Whether it shows names, or only initials.
    package var isNamed: Bool
    /// The last part of its address; nil when it was created with another secret key.
    package var code: String?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    /// Creates a share picture.
    package init(
        id: ShareID,
        group: GroupID,
        maker: UserProfile,
        shown: [UserID],
        isNamed: Bool,
        code: String?,
        createdAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.id = id
        self.group = group
        self.maker = maker
        self.shown = shown
        self.isNamed = isNamed
        self.code = code
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
