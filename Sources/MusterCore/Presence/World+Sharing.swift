extension World {
    /// Reduces a user's visibility at once, and keeps it reduced until storage has the change.
    mutating func narrow(_ change: SharingChange) {
        guard change.isNarrow, let person = self.users.slot(of: change.user) else { return }
        let groups = self.users[person].memberships.filter(change.concerns)
        guard change.group == nil || !groups.isEmpty else { return }
        // The visible setting equals storage's one here, unless `stored` remembers that storage shows more.
        let isFirst = self.unstoredSharing[change.user] == nil
        var unstored = self.unstoredSharing[change.user] ?? UnstoredSharing()
        unstored.add(change)
        for group in groups {
            guard let sharing = self.sharing(of: change.user, in: group) else { continue }
            _ = unstored.limit((isFirst ? nil : unstored.stored[group]) ?? sharing, in: group, at: self.now)
        }
        self.unstoredSharing[change.user] = unstored
        for group in groups { self.showStored(change.user, in: group) }
    }

    /// Returns to storage's setting after a change was stored or became void.
    mutating func resolve(_ change: SharingChange) {
        guard self.unstoredSharing[change.user] != nil else { return }
        self.unstoredSharing[change.user]?.resolve(change)
        for group in self.unstoredSharing[change.user]?.stored.keys.sorted() ?? [] where change.concerns(group) {
            self.showStored(change.user, in: group)
        }
        if self.unstoredSharing[change.user]?.isEmpty == true { self.unstoredSharing[change.user] = nil }
    }

    /// The setting that a group sees of a user, given storage's `sharing`.
    mutating func seen(_ sharing: Sharing, of user: UserID, in group: GroupID) -> Sharing {
        // Usually there are no unstored changes.
        guard !self.unstoredSharing.isEmpty else { return sharing.inForce(at: self.now) }
        return self.unstoredSharing[user]?.limit(sharing, in: group, at: self.now) ?? sharing.inForce(at: self.now)
    }

    /// Applies a member's sharing setting to the roster and the gathering.
    mutating func share(_ sharing: Sharing, by index: Int, in slot: Int) {
        let before = self.groups[slot].members[index].sharing
        let user = self.groups[slot].memberIDs[index]
        self.groups[slot].members[index].sharing = sharing
        if SharingTerms(sharing) != SharingTerms(before) {
            let message = LiveMessage.sharing(self.groups.keys[slot], SharingTerms(sharing))
            self.publish(Publication(to: .people([user]), .live(message)))
        }
        if let end = sharing.until { self.groups[slot].noteSharing(until: end) }
        self.groups[slot].mark(index)
        self.queue(slot)
        self.watchPlaces(of: user, in: slot)
        let isLive = sharing.mode == .live
        guard isLive != (before.mode == .live) else { return }
        self.applyToMachine(.sharingChanged(user, isLive: isLive), of: slot)
    }

    /// Ends a group's expired sharing settings.
    mutating func endSharing(in slot: Int) {
        guard let end = self.groups[slot].sharingEnds, end <= self.now else { return }
        let group = self.groups.keys[slot]
        for index in self.groups[slot].members.indices {
            let sharing = self.groups[slot].members[index].sharing
            let next = sharing.inForce(at: self.now)
            guard next != sharing else { continue }
            let stored = self.storedLimited(self.groups[slot].memberIDs[index], in: group)
            let following = stored.map { sharing.followed(by: $0, at: self.now) }
            self.share(following ?? next, by: index, in: slot)
        }
        self.groups[slot].findSharingEnd()
    }

    private func sharing(of user: UserID, in group: GroupID) -> Sharing? {
        guard let slot = self.groups.slot(of: group), let index = self.groups[slot].index(of: user) else { return nil }
        return self.groups[slot].members[index].sharing.inForce(at: self.now)
    }

    /// Storage's setting of a user for a group, limited by unstored changes; nil when there are none.
    private func storedLimited(_ user: UserID, in group: GroupID) -> Sharing? {
        guard let unstored = self.unstoredSharing[user], let stored = unstored.stored[group] else { return nil }
        return unstored.limited(stored, in: group, at: self.now)
    }

    /// Applies storage's setting of a user for a group, limited by unstored changes.
    private mutating func showStored(_ user: UserID, in group: GroupID) {
        guard let slot = self.groups.slot(of: group), let index = self.groups[slot].index(of: user),
            let stored = self.storedLimited(user, in: group)
        else { return }
        let before = self.groups[slot].members[index].sharing
        let sharing = before.followed(by: stored, at: self.now)
        guard sharing != before else { return }
        self.share(sharing, by: index, in: slot)
        self.scheduleGroup(slot)
    }
}
