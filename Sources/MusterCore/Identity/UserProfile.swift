/// What others see of a person beside their position.
package struct UserProfile: Sendable, Equatable, Codable {
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
