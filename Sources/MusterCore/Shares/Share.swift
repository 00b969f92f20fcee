/// A picture of where a group was, which whoever has its address may look at until its end.
package struct Share: Sendable, Equatable {
    /// Seconds that a picture can be seen.
    package static let lifetimes = 300...86_400
    /// Seconds that a picture can be seen when nobody says for how long.
    package static let usualLifetime = 3_600
    /// The most pictures that a person makes of one group in an hour.
    package static let mostPerHour = 5

    package var id: ShareID
    package var group: GroupID
    /// Who made it.
    package var maker: UserProfile
    /// Who is on it, by rising id.
    package var shown: [UserID]
    /// Whether it says names, or initials alone.
    package var isNamed: Bool
    /// What its address ends in; nil when it was made with another secret key.
    package var code: String?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    /// Describes a picture.
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
