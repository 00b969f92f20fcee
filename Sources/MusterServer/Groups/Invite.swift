import MusterCore

/// An invitation to a group.
package struct Invite: Sendable, Equatable {
    /// The secret in the link, in URL-safe characters.
    package var code: String
    var group: GroupID
    var expiresAt: Timestamp
    /// The number of remaining uses; nil for no limit.
    var usesLeft: Int?
}

/// The preview of a group for an invited user.
struct InvitePreview: Sendable, Equatable {
    var groupName: String
    var memberCount: Int
    /// The creator of the invite.
    var inviter: UserProfile
    var expiresAt: Timestamp
}

/// The result of joining.
package struct Joining: Sendable, Equatable {
    /// The group, with the new member in it.
    var group: GroupSnapshot
    /// Whether the user already was a member, so that nothing changed.
    var wasMember: Bool
}
