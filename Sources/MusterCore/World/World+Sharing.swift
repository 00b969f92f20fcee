extension World {
    /// Lets the groups of a person see no more than they say from now on, whatever storage says until it has the word.
    mutating func narrow(_ word: SharingWord, into effects: inout [WorldEffect]) {
        guard word.isNarrow, let person = self.users.slot(of: word.user) else { return }
        let groups = self.users[person].memberships.filter(word.concerns)
        guard word.group == nil || !groups.isEmpty else { return }
        // Before the word: what they see now is what storage says, unless it is remembered that it says more.
        let isFirst = self.unstoredSharing[word.user] == nil
        var unstored = self.unstoredSharing[word.user] ?? UnstoredSharing()
        unstored.add(word)
        for group in groups {
            guard let sharing = self.sharing(of: word.user, in: group) else { continue }
            _ = unstored.limit((isFirst ? nil : unstored.stored[group]) ?? sharing, in: group, at: self.now)
        }
        self.unstoredSharing[word.user] = unstored
        for group in groups { self.showStored(word.user, in: group, into: &effects) }
    }

    /// Goes by what storage says again: it has a word, or will never take it.
    mutating func settle(_ word: SharingWord, into effects: inout [WorldEffect]) {
        guard self.unstoredSharing[word.user] != nil else { return }
        self.unstoredSharing[word.user]?.settle(word)
        for group in self.unstoredSharing[word.user]?.stored.keys.sorted() ?? [] where word.concerns(group) {
            self.showStored(word.user, in: group, into: &effects)
        }
        if self.unstoredSharing[word.user]?.isEmpty == true { self.unstoredSharing[word.user] = nil }
    }

    /// What a group sees of a person now when storage says `sharing`.
    mutating func seen(_ sharing: Sharing, of user: UserID, in group: GroupID) -> Sharing {
        // Nearly always nobody waits for storage.
        guard !self.unstoredSharing.isEmpty else { return sharing.inForce(at: self.now) }
        return self.unstoredSharing[user]?.limit(sharing, in: group, at: self.now) ?? sharing.inForce(at: self.now)
    }

    /// Puts a member's sharing into force, for the roster and the gathering alike.
    mutating func share(_ sharing: Sharing, by index: Int, in slot: Int, into effects: inout [WorldEffect]) {
        let before = self.groups[slot].members[index].sharing
        let user = self.groups[slot].memberIDs[index]
        self.groups[slot].members[index].sharing = sharing
        if sharing.mode != before.mode || sharing.until != before.until || sharing.isPictured != before.isPictured {
            let news = LiveMessage.sharing(self.groups.keys[slot], SharingTerms(sharing))
            self.publish(Publication(to: .people([user]), .live(news)), into: &effects)
        }
        if let end = sharing.until { self.groups[slot].noteSharing(until: end) }
        self.groups[slot].mark(index)
        self.queue(slot)
        let isLive = sharing.mode == .live
        guard isLive != (before.mode == .live) else { return }
        self.applyToMachine(.sharingChanged(user, isLive: isLive), of: slot, into: &effects)
    }

    /// Lets settings of a group return to `live` whose time is over.
    mutating func endSharing(in slot: Int, into effects: inout [WorldEffect]) {
        guard let end = self.groups[slot].sharingEnds, end <= self.now else { return }
        let group = self.groups.keys[slot]
        for index in self.groups[slot].members.indices {
            let sharing = self.groups[slot].members[index].sharing
            let next = sharing.inForce(at: self.now)
            guard next != sharing else { continue }
            let stored = self.storedLimited(self.groups[slot].memberIDs[index], in: group)
            let following = stored.map { sharing.followed(by: $0, at: self.now) }
            self.share(following ?? next, by: index, in: slot, into: &effects)
        }
        self.groups[slot].findSharingEnd()
    }

    private func sharing(of user: UserID, in group: GroupID) -> Sharing? {
        guard let slot = self.groups.slot(of: group), let index = self.groups[slot].index(of: user) else { return nil }
        return self.groups[slot].members[index].sharing.inForce(at: self.now)
    }

    /// What storage says that a group sees of a person, limited by unstored words; nil when there are none.
    private func storedLimited(_ user: UserID, in group: GroupID) -> Sharing? {
        guard let unstored = self.unstoredSharing[user], let stored = unstored.stored[group] else { return nil }
        return unstored.limited(stored, in: group, at: self.now)
    }

    /// Shows a group what storage and unstored words let it see of a person.
    private mutating func showStored(_ user: UserID, in group: GroupID, into effects: inout [WorldEffect]) {
        guard let slot = self.groups.slot(of: group), let index = self.groups[slot].index(of: user),
            let stored = self.storedLimited(user, in: group)
        else { return }
        let before = self.groups[slot].members[index].sharing
        let sharing = before.followed(by: stored, at: self.now)
        guard sharing != before else { return }
        self.share(sharing, by: index, in: slot, into: &effects)
        self.scheduleGroup(slot)
    }
}
