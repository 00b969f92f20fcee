/// The state that members show to their groups at a moment, without versions.
struct MemberView {
    let users: DenseTable<UserID, UserState>
    let now: Timestamp

    /// The profile of a member.
    func profile(of user: UserID, role: GroupSnapshot.Role, sharing: Sharing.Mode) -> RosterEntry.Profile {
        let slot = self.slot(of: user)
        let presence = self.users[slot].presence.shown
        return RosterEntry.Profile(
            name: self.users[slot].profile.name,
            avatar: self.users[slot].profile.avatar,
            role: role,
            presence: presence,
            sharing: sharing,
            lastSeen: presence == .online ? nil : self.users[slot].lastSeen
        )
    }

    /// The position of a member, as far as it is shared.
    func position(of user: UserID, sharing: Sharing) -> RosterEntry.Position {
        sharing.view(of: self.users[self.slot(of: user)].shown, at: self.now)
    }

    private func slot(of user: UserID) -> Int {
        guard let slot = self.users.slot(of: user) else { preconditionFailure("a member is held") }
        return slot
    }
}
