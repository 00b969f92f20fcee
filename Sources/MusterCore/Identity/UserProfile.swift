/// The public profile of a user.
package struct UserProfile: Sendable, Equatable {
    /// The user's id.
    package var id: UserID
    /// The display name that the user chose.
    package var name: String
    /// The address of the user's picture; nil when there is none.
    package var avatar: String?

    /// Creates a profile.
    package init(id: UserID, name: String, avatar: String? = nil) {
        self.id = id
        self.name = name
        self.avatar = avatar
    }
}
