package import MusterCore

/// A way into a group.
package struct Invite: Sendable, Equatable {
    /// The secret in the link, safe in a URL.
    package var code: String
    package var group: GroupID
    package var expiresAt: Timestamp
    /// How many more people it lets in; nil for any number.
    package var usesLeft: Int?
}

/// What someone sees of a group before joining it.
package struct InvitePreview: Sendable, Equatable {
    package var groupName: String
    package var memberCount: Int
    /// Who made the invite.
    package var inviter: UserProfile
    package var expiresAt: Timestamp
}

/// What joining led to.
package struct Joining: Sendable, Equatable {
    /// The group, with the new member in it.
    package var group: GroupSnapshot
    /// Whether the user was a member before, in which case nothing changed.
    package var wasMember: Bool
}
