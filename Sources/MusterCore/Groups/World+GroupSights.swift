extension World {
    /// Sends a request the visibility snapshot of a group, once the group is loaded.
    ///
    /// - Parameters:
    ///   - group: the group.
    ///   - request: the number of the request.
    ///   - isLoaded: whether the group was just loaded for this request; if it is still missing, the answer is nil.
    mutating func view(_ group: GroupID, for request: Int64, isLoaded: Bool = false) {
        guard let slot = self.groups.slot(of: group) else {
            guard !isLoaded else { return self.effects.append(.groupViewed(request, nil)) }
            self.requestLoad(of: group)
            self.loads[group]?.views.append(request)
            return
        }
        let view = MemberView(users: self.users, now: self.now)
        let members = self.groups[slot].members.compactMap { member -> GroupVisibility.Member? in
            guard let profile = self.users.value(of: member.user)?.profile else { return nil }
            let sharing = member.sharing.inForce(at: self.now)
            return GroupVisibility.Member(
                user: profile,
                mode: sharing.mode,
                isPictured: sharing.isPictured,
                position: view.position(of: member.user, sharing: sharing),
                isNarrowing: self.unstoredSharing[member.user]?.narrows(group, at: self.now) ?? false
            )
        }
        let seen = GroupVisibility(
            group: group,
            revision: self.groups[slot].revision,
            name: self.groups[slot].name,
            members: members,
            at: self.now
        )
        self.effects.append(.groupViewed(request, seen))
    }
}
