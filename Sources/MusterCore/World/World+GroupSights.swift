extension World {
    /// Tells a request what a group sees of its members now, once the group is there.
    ///
    /// - Parameters:
    ///   - group: whose members.
    ///   - request: who wants to know.
    ///   - effects: what must follow.
    ///   - isLoaded: whether the group was just read for it; then there is none when it is not held.
    mutating func view(
        _ group: GroupID,
        for request: Int64,
        into effects: inout [WorldEffect],
        isLoaded: Bool = false
    ) {
        guard let slot = self.groups.slot(of: group) else {
            guard !isLoaded else { return effects.append(.groupViewed(request, nil)) }
            self.requestLoad(of: group, into: &effects)
            self.loads[group]?.views.append(request)
            return
        }
        let view = MemberView(users: self.users, now: self.now)
        let members = self.groups[slot].members.compactMap { member -> GroupSight.Member? in
            guard let profile = self.users.value(of: member.user)?.profile else { return nil }
            let sharing = member.sharing.inForce(at: self.now)
            return GroupSight.Member(
                user: profile,
                mode: sharing.mode,
                isPictured: sharing.isPictured,
                position: view.position(of: member.user, sharing: sharing),
                isNarrowing: self.unstoredSharing[member.user]?.narrows(group, at: self.now) ?? false
            )
        }
        let seen = GroupSight(
            group: group,
            revision: self.groups[slot].revision,
            name: self.groups[slot].name,
            members: members,
            at: self.now
        )
        effects.append(.groupViewed(request, seen))
    }
}
