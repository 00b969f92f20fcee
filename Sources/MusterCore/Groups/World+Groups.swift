extension World {
    /// The maximum age of a gathering whose beginning is posted again when its group is loaded, in milliseconds.
    static let sayingAgain: Int64 = 600_000

    /// Applies a directory change; the requester's answer is sent once the change is in effect.
    mutating func change(_ snapshot: GroupSnapshot, answer: PreparedAnswer?) {
        if let slot = self.groups.slot(of: snapshot.id) {
            self.update(slot, to: snapshot)
        } else if snapshot.members.isEmpty {
            self.loads[snapshot.id]?.deletedBy = snapshot.revision
        } else if self.loads[snapshot.id] != nil || self.isWanted(snapshot) {
            // Even while a load is under way: it may return an older state.
            self.insertGroup(snapshot)
        }
        if let answer {
            self.effects.append(.answer(answer))
            self.answered.append((answer.session, snapshot.id))
        }
        if self.groups.contains(snapshot.id) { self.stopAwaiting(snapshot.id) }
    }

    /// Applies a group that was loaded.
    mutating func load(_ snapshot: GroupSnapshot) {
        let load = self.loads[snapshot.id]
        if let slot = self.groups.slot(of: snapshot.id) {
            self.restoreMachine(of: slot, from: snapshot)
            self.restorePlaces(of: slot, from: snapshot)
            self.update(slot, to: snapshot)
        } else {
            let isUnwanted = load?.isForNobody ?? false
            let isVoid = load?.deletedBy.map { $0 >= snapshot.revision } ?? false
            if !isVoid && (!isUnwanted || self.isWanted(snapshot)) { self.insertGroup(snapshot) }
        }
        self.stopAwaiting(snapshot.id)
        self.loads[snapshot.id] = nil
        for request in load?.questions ?? [] { self.pass(request, isLoaded: true) }
        for request in load?.views ?? [] { self.view(snapshot.id, for: request, isLoaded: true) }
    }

    /// Rejects all requests that wait for a group that could not be loaded.
    mutating func failLoad(of group: GroupID) {
        guard let load = self.loads.removeValue(forKey: group) else { return }
        for session in load.sessions { self.end(session, as: .unavailable) }
        for request in load.questions { self.effects.append(.clusters(.refused(request.asker, .loading))) }
        for request in load.views { self.effects.append(.groupViewed(request, nil)) }
    }

    /// Requests a group from the directory, once for all waiting requests.
    mutating func requestLoad(of group: GroupID) {
        guard self.loads[group] == nil else { return }
        self.loads[group] = PendingLoad()
        self.effects.append(.ask(.group(group)))
    }

    /// Removes a member from a group and its roster.
    mutating func remove(_ user: UserID, from group: GroupID) {
        guard let slot = self.groups.slot(of: group), let index = self.groups[slot].index(of: user) else { return }
        self.groups[slot].remove(at: index)
        self.unwatchPlaces(of: user, in: slot)
        self.queue(slot)
        self.markGlances(in: slot)
        self.detach(user, from: group, isNotified: true)
        self.applyToMachine(.memberLeft(user), of: slot)
    }

    /// Processes a due group: sharing that expires, its gathering, and unloading.
    mutating func meetDeadline(of group: GroupID) {
        guard let slot = self.groups.slot(of: group) else { return }
        self.endSharing(in: slot)
        self.evaluateMachine(of: slot)
        if self.isIdle(slot) {
            self.close(slot, isNotified: false)
        } else {
            self.scheduleGroup(slot)
        }
    }

    /// Records activity in a group.
    mutating func touch(_ group: GroupID) {
        guard let slot = self.groups.slot(of: group) else { return }
        self.groups[slot].lastActivity = self.now
        self.scheduleGroup(slot)
    }

    /// Queues a group's roster for publication at the end of the batch.
    mutating func queue(_ slot: Int) {
        if self.groups[slot].queue() { self.changedGroups.append(self.groups.keys[slot]) }
    }

    /// Publishes one new version of every roster that changed in this batch.
    mutating func publishChanges() {
        let view = MemberView(users: self.users, now: self.now)
        for group in self.changedGroups {
            guard let slot = self.groups.slot(of: group) else { continue }
            self.groups[slot].isQueued = false
            if let change = self.groups[slot].publish(view) {
                self.showOnTiles(change, of: slot)
                self.effects.append(.rosterChanged(change))
            }
        }
        self.changedGroups.removeAll(keepingCapacity: true)
    }

    /// Notifies the sessions of users who were removed from a group, unless they have rejoined.
    mutating func sendDepartures() {
        for departure in self.departures {
            guard let person = self.users.slot(of: departure.user),
                !self.users[person].memberships.contains(departure.group)
            else { continue }
            for id in self.users[person].sessions {
                guard let slot = self.sessions.slot(of: id), !self.sessions[slot].isWatch else { continue }
                self.effects.append(
                    .leftGroup(id, departure.group, user: departure.user, version: departure.version)
                )
            }
        }
        self.departures.removeAll(keepingCapacity: true)
    }

    /// Notifies a session that its user joined a group, unless it was answered so already, and sends the sharing
    /// setting.
    mutating func sendJoined(_ session: SessionID, _ group: GroupID) {
        guard let slot = self.groups.slot(of: group), let place = self.sessions.slot(of: session),
            let index = self.groups[slot].index(of: self.sessions[place].user)
        else { return }
        if !self.answered.contains(where: { $0.session == session && $0.group == group }) {
            let message = LiveMessage.group(group, name: self.groups[slot].name, settings: self.groups[slot].settings)
            self.send([session], message)
        }
        let sharing = self.groups[slot].members[index].sharing
        self.send([session], .sharing(group, SharingTerms(sharing)))
    }

    // MARK: Loading

    private func isWanted(_ snapshot: GroupSnapshot) -> Bool {
        snapshot.members.contains { member in
            let isHere = self.users.slot(of: member.user.id).map { !self.users[$0].sessions.isEmpty } ?? false
            return isHere || self.isWaited(by: member.user.id)
        }
    }

    private func isWaited(by user: UserID) -> Bool {
        self.waiting.contains { self.sessions.value(of: $0)?.user == user }
    }

    private mutating func insertGroup(_ snapshot: GroupSnapshot) {
        guard !snapshot.members.isEmpty else { return }
        let number: GroupID = self.identifiers.next(at: self.now)
        let epoch = String(number.rawValue, radix: 36)
        var group = GroupState(snapshot: snapshot, epoch: epoch, at: self.now)
        for member in snapshot.members {
            let person = self.insertUser(member)
            self.attach(snapshot.id, to: person)
            var sharing = self.seen(member.sharing, of: member.user.id, in: snapshot.id)
            sharing.rewind(to: self.now)
            group.add(MemberState(user: member.user.id, role: member.role, sharing: sharing))
        }
        group.machine = self.makeMachine(of: group, from: snapshot)
        group.isMachineRestored = snapshot.gathering != nil
        group.publishFirst(gathering: group.machine.status, MemberView(users: self.users, now: self.now))
        let slot = self.groups.insert(group, for: snapshot.id)
        self.insertPlaces(of: slot, from: snapshot)
        self.scheduleGroup(slot)
        // The beginning may not have been posted before a crash.
        if let status = self.groups[slot].machine.status, self.now - status.since < Self.sayingAgain {
            self.say("began", of: status, in: snapshot.id)
        }
    }

    private mutating func attach(_ group: GroupID, to person: Int) {
        let place = self.users[person].memberships.firstIndex { $0 > group } ?? self.users[person].memberships.count
        self.users[person].memberships.insert(group, at: place)
        self.users[person].lastActivity = self.now
        for session in self.users[person].sessions { self.follow(group, on: session) }
        self.markGlances(of: person)
        self.reviewEvents(of: person)
    }

    private mutating func detach(_ user: UserID, from group: GroupID, isNotified: Bool) {
        guard let person = self.users.slot(of: user) else { return }
        if isNotified, !self.users[person].sessions.isEmpty, let slot = self.groups.slot(of: group) {
            self.departures.append(GroupDeparture(user: user, group: group, version: self.groups[slot].version + 1))
        }
        self.users[person].memberships.removeAll { $0 == group }
        self.markGlances(of: person)
        self.reviewEvents(of: person)
        if isNotified { self.withdrawNotifications(about: group, of: person) }
        self.users[person].lastActivity = self.now
        self.deadlines.schedule(.user(user), at: self.now + self.configuration.groupIdle)
        for id in self.users[person].sessions where self.unfollow(group, on: id) && isNotified {
            self.effects.append(.unsubscribe(id, group))
        }
        if isNotified { self.loseRoom(group.room, by: Array(self.users[person].sessions)) }
        self.endTileSubscriptions(of: group, by: Array(self.users[person].sessions))
    }

    private mutating func close(_ slot: Int, isNotified: Bool) {
        let id = self.groups.keys[slot]
        for user in self.groups[slot].memberIDs { self.unwatchPlaces(of: user, in: slot) }
        for user in self.groups[slot].memberIDs { self.detach(user, from: id, isNotified: isNotified) }
        self.effects.append(.rosterClosed(id))
        self.closeRoom(id.room)
        self.endFeed(of: id)
        self.closeEvents(of: id)
        if isNotified, self.groups[slot].machine.stored != nil { self.write(.machine(id, nil)) }
        if self.groups[slot].suspension != nil { self.write(.suspension(id, nil)) }
        self.groups.remove(id)
        self.deadlines.cancel(.group(id))
    }

    private func isIdle(_ slot: Int) -> Bool {
        self.groups[slot].lastActivity + self.configuration.groupIdle <= self.now
            && self.groups[slot].usableUntil <= self.now
            && !self.groups[slot].hasOpenGathering
            && !self.hasPendingArrivals(in: slot)
            && self.groups[slot].lastRecord <= self.journal.committed
            && !self.groups[slot].memberIDs.contains { user in
                self.users.slot(of: user).map { !self.users[$0].sessions.isEmpty } ?? false
            }
            && !self.waiting.contains { id in
                self.sessions.value(of: id)?.opening?.arrival.groups.contains(self.groups.keys[slot]) ?? false
            }
    }

    mutating func scheduleGroup(_ slot: Int) {
        // In place, although the slot is repeated: a copy of a group is a kilobyte with twenty references.
        let end = self.groups[slot].lastActivity + self.configuration.groupIdle
        var due = end > self.now ? end : self.now + self.configuration.groupIdle
        if let sharing = self.groups[slot].sharingEnds { due = min(due, sharing) }
        if let machine = self.groups[slot].machineDeadline { due = min(due, machine) }
        self.deadlines.schedule(.group(self.groups.keys[slot]), at: due)
    }

    // MARK: Applying a snapshot

    private mutating func update(_ slot: Int, to snapshot: GroupSnapshot) {
        guard snapshot.revision > self.groups[slot].revision else { return }
        guard !snapshot.members.isEmpty else {
            self.close(slot, isNotified: true)
            return
        }
        self.groups[slot].revision = snapshot.revision
        let isRenamed = self.groups[slot].name != snapshot.name
        self.groups[slot].name = snapshot.name
        self.groups[slot].lastActivity = self.now
        let remaining = Set(snapshot.members.map(\.user.id))
        let before = self.groups[slot].memberIDs
        for user in before where !remaining.contains(user) {
            self.remove(user, from: snapshot.id)
        }
        if isRenamed { self.markGlances(in: slot) }
        if isRenamed || self.groups[slot].settings != snapshot.settings {
            let message = LiveMessage.group(snapshot.id, name: snapshot.name, settings: snapshot.settings)
            self.publish(Publication(to: .group(snapshot.id, except: nil), .live(message)))
        }
        for member in snapshot.members { self.update(member, in: slot) }
        self.updatePlaces(of: slot, from: snapshot)
        if self.groups[slot].settings != snapshot.settings {
            self.groups[slot].settings = snapshot.settings
            self.applyToMachine(.settingsChanged(snapshot.settings), of: slot)
        }
        self.scheduleGroup(slot)
        if Set(before) != remaining { self.readAgain(snapshot.id.room) }
        self.readOn(snapshot.id.room)
    }

    private mutating func update(_ member: GroupSnapshot.Member, in slot: Int) {
        let user = member.user.id
        let person = self.insertUser(member)
        if self.users[person].profile != member.user {
            self.users[person].profile = member.user
            self.markChanged(of: person)
        }
        var seen = self.seen(member.sharing, of: user, in: self.groups.keys[slot])
        guard let index = self.groups[slot].index(of: user) else {
            seen.rewind(to: self.now)
            self.attach(self.groups.keys[slot], to: person)
            let state = MemberState(user: user, role: member.role, sharing: seen)
            self.groups[slot].add(state)
            self.queue(slot)
            self.markGlances(in: slot)
            let change = GatheringChange.memberJoined(user, isSharingLive: seen.mode == .live)
            self.applyToMachine(change, of: slot)
            return
        }
        let before = self.groups[slot].members[index].sharing
        let sharing = before.followed(by: seen, at: self.now)
        guard sharing != before || member.role != self.groups[slot].members[index].role else { return }
        self.groups[slot].members[index].role = member.role
        self.share(sharing, by: index, in: slot)
    }
}
