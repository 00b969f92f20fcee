package import MusterCore

/// An invitation to a group.
package struct Invite: Sendable, Equatable {
    /// The secret in the link, in URL-safe characters.
    package var code: String
    package var group: GroupID
    package var expiresAt: Timestamp
    /// The number of remaining uses; nil for no limit.
    package var usesLeft: Int?
}

/// The preview of a group for an invited user.
package struct InvitePreview: Sendable, Equatable {
    package var groupName: String
    package var memberCount: Int
    /// The creator of the invite.
    package var inviter: UserProfile
    package var expiresAt: Timestamp
}

/// The result of joining.
package struct Joining: Sendable, Equatable {
    /// The group, with the new member in it.
    package var group: GroupSnapshot
    /// Whether the user already was a member, so that nothing changed.
    package var wasMember: Bool
}
