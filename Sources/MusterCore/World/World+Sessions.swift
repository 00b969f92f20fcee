extension World {
    /// Opens a session, which is admitted once all its groups are loaded.
    mutating func open(_ opening: SessionOpening) {
        let id = opening.session
        guard !self.sessions.contains(id) else { return }
        guard !self.hasEnded(opening) else {
            self.effects.append(.close(id, .unauthorized))
            return
        }
        if let older = self.sessionOfDevice[opening.arrival.device.rawValue] {
            self.end(older, as: .replaced)
        }
        let awaited = opening.arrival.groups.filter { !self.groups.contains($0) }
        self.sessions.insert(SessionState(opening: opening, awaited: awaited), for: id)
        self.connect(opening.arrival.device, to: id)
        if let end = opening.expiresAt { self.deadlines.schedule(.session(id), at: end) }
        guard !awaited.isEmpty else {
            self.admit(id)
            return
        }
        self.waiting.append(id)
        for group in awaited {
            self.requestLoad(of: group)
            self.loads[group]?.sessions.append(id)
        }
    }

    /// Sets the session of a device.
    private mutating func connect(_ device: DeviceID, to session: SessionID?) {
        self.sessionOfDevice[device.rawValue] = session
        if let slot = self.devices.slot(of: device) { self.devices[slot].session = session }
    }

    /// Marks a group as loaded, or as known to be gone, for all sessions that wait for it.
    mutating func stopAwaiting(_ group: GroupID) {
        guard let load = self.loads[group] else { return }
        self.loads[group]?.sessions = []
        for id in load.sessions {
            guard let slot = self.sessions.slot(of: id) else { continue }
            self.sessions[slot].handshake?.awaited.removeAll { $0 == group }
            guard self.sessions[slot].handshake?.awaited.isEmpty ?? true else { continue }
            self.waiting.removeAll { $0 == id }
            self.admit(id)
        }
    }

    /// Ends a session.
    ///
    /// The client gets `reason`; it is nil when the socket is closed already.
    mutating func end(_ id: SessionID, as reason: SessionEnd?) {
        guard let session = self.sessions.remove(id) else { return }
        if self.sessionOfDevice[session.device.rawValue] == id { self.connect(session.device, to: nil) }
        self.deadlines.cancel(.session(id))
        self.unsubscribe(id)
        self.unsubscribeFromEvents(id)
        self.endTileSubscriptions(by: id)
        self.endGlances(on: id, of: session)
        self.endRooms(of: id)
        if let reason { self.effects.append(.close(id, reason)) }
        guard session.isOpen else {
            self.waiting.removeAll { $0 == id }
            for group in session.handshake?.awaited ?? [] { self.loads[group]?.sessions.removeAll { $0 == id } }
            return
        }
        self.write(.sessionClosed(id))
        if let slot = self.devices.slot(of: session.device) {
            self.devices[slot].lastActivity = self.now
            self.deadlines.schedule(.device(session.device), at: self.now + self.configuration.deviceIdle)
        }
        guard let slot = self.users.slot(of: session.user) else { return }
        self.users[slot].sessions.removeAll { $0 == id }
        self.users[slot].hasWearable = self.users[slot].sessions.contains { self.glances[$0] != nil }
        self.users[slot].lastActivity = self.now
        self.deadlines.schedule(.user(session.user), at: self.now + self.configuration.groupIdle)
        for group in self.users[slot].memberships { self.touch(group) }
        guard !self.isDraining else { return }
        self.users[slot].presence.sessionClosed(isForeground: session.isForeground, at: self.now)
        self.noteContact(session.user)
    }

    /// Updates the foreground state of a session's app; a wearable stays in the background.
    mutating func changeState(of id: SessionID, isForeground: Bool) {
        guard let slot = self.sessions.slot(of: id), !self.sessions[slot].isWatch,
            self.sessions[slot].isForeground != isForeground
        else { return }
        self.sessions[slot].isForeground = isForeground
        let user = self.sessions[slot].user
        guard self.sessions[slot].isOpen, let person = self.users.slot(of: user) else { return }
        self.users[person].presence.sessionMoved(toForeground: isForeground, at: self.now)
        self.noteContact(user)
    }

    /// Requests which logins of the sessions, and which loaded users, storage no longer contains.
    ///
    /// Any of them was stored before this process learned of it. So one that storage does not contain has ended.
    mutating func checkLogins() {
        let logins = Set(self.sessions.indices.map { self.sessions[$0].login }).sorted()
        let users = self.users.indices.map { self.users.keys[$0] }
        guard !logins.isEmpty || !users.isEmpty else { return }
        self.effects.append(.ask(.ended(logins: logins, users: users)))
    }

    /// Closes the sessions of a login, including those that are about to open.
    mutating func endLogin(_ login: LoginID) {
        self.recentEnds.insert(.login(login), at: self.now)
        let ended = self.sessions.indices.filter { self.sessions[$0].login == login }.map { self.sessions.keys[$0] }
        for id in ended { self.end(id, as: .unauthorized) }
    }

    /// Closes a user's sessions, removes the user from their groups, and unloads them.
    mutating func delete(_ user: UserID) {
        self.recentEnds.insert(.user(user), at: self.now)
        self.unstoredSharing[user] = nil
        let ended = self.sessions.indices.filter { self.sessions[$0].user == user }.map { self.sessions.keys[$0] }
        for id in ended { self.end(id, as: .unauthorized) }
        self.withdrawNotifications(from: user)
        guard let slot = self.users.slot(of: user) else { return }
        for group in self.users[slot].memberships { self.remove(user, from: group) }
        self.forget(user)
    }

    /// Schedules work for a session at the end of the batch.
    mutating func attend(_ id: SessionID) {
        guard let slot = self.sessions.slot(of: id), !self.sessions[slot].needsAttention else { return }
        self.sessions[slot].needsAttention = true
        self.attention.append(id)
    }

    /// Subscribes a session to one more roster at the end of the batch.
    ///
    /// A session being admitted subscribes to all of them.
    mutating func follow(_ group: GroupID, on id: SessionID) {
        guard let slot = self.sessions.slot(of: id), self.sessions[slot].followsRosters else { return }
        self.joins.append((id, group))
    }

    /// Unsubscribes a session from a roster, and returns whether it was subscribed.
    mutating func unfollow(_ group: GroupID, on id: SessionID) -> Bool {
        guard let slot = self.sessions.slot(of: id), self.sessions[slot].followsRosters else { return false }
        let count = self.joins.count
        self.joins.removeAll { $0.session == id && $0.group == group }
        return self.joins.count == count
    }

    /// Subscribes admitted sessions and joined members to their rosters, and sends admitted sessions the missed
    /// notifications.
    mutating func serveAttention() {
        var shown: Set<GroupID> = []
        for id in self.attention {
            guard let slot = self.sessions.slot(of: id) else { continue }
            self.sessions[slot].needsAttention = false
            guard !self.sessions[slot].isWatch, let person = self.users.slot(of: self.sessions[slot].user) else {
                let known = self.sessions[slot].opening?.knownGlance
                self.sessions[slot].handshake = nil
                self.showGlance(on: id, holding: known)
                continue
            }
            let opening = self.sessions[slot].opening
            self.sessions[slot].handshake = nil
            guard let opening else { continue }
            for group in self.users[person].memberships {
                // Groups joined in the batch of the `hello` are not in its `welcome`.
                if !opening.arrival.groups.contains(group) { self.sendJoined(id, group) }
                self.subscribe(id, to: group, resume: opening.resume[group], showing: &shown)
            }
            if let rooms = opening.rooms { self.beginRooms(of: id, resume: rooms) }
            for notification in self.users[person].inbox.unseen
            where notification.number > opening.knownNotification && self.concerns(notification, person) {
                self.effects.append(self.notify([id], notification))
            }
        }
        self.attention.removeAll(keepingCapacity: true)
        for join in self.joins where self.sessions.contains(join.session) {
            self.sendJoined(join.session, join.group)
            self.subscribe(join.session, to: join.group, resume: nil, showing: &shown)
            self.beginRoom(join.group.room, of: join.session)
        }
        self.joins.removeAll(keepingCapacity: true)
        self.answered.removeAll(keepingCapacity: true)
    }

    /// Subscribes a session to a roster.
    ///
    /// The roster itself precedes the first subscription of the batch.
    private mutating func subscribe(
        _ session: SessionID,
        to group: GroupID,
        resume: RosterVersion?,
        showing shown: inout Set<GroupID>
    ) {
        if shown.insert(group).inserted, let roster = self.roster(of: group) {
            self.effects.append(.rosterShown(roster))
        }
        self.effects.append(.subscribe(session, group, resume: resume))
    }

    /// Whether the login or account ended, or the token expired, after the directory accepted the `hello`.
    private func hasEnded(_ opening: SessionOpening) -> Bool {
        opening.expiresAt.map { $0 <= self.now } ?? false
            || self.recentEnds.contains(.login(opening.login))
            || self.recentEnds.contains(.user(opening.arrival.user.id))
    }

    private mutating func admit(_ id: SessionID) {
        guard let slot = self.sessions.slot(of: id), let opening = self.sessions[slot].opening else { return }
        self.sessions[slot].isOpen = true
        let arrival = opening.arrival
        defer { if !opening.isWatch { self.askAgain(id, of: arrival.user.id) } }
        let person = self.insertUser(arrival)
        let device = self.registerDevice(of: arrival)
        self.chat.blocked[arrival.user.id] = arrival.blocked.isEmpty ? nil : Set(arrival.blocked)
        self.merge(arrival.unseen, upTo: arrival.lastNotification, of: person)
        self.users[person].sessions.append(id)
        self.users[person].presence.sessionOpened(isForeground: self.sessions[slot].isForeground)
        let record = SessionRecord(
            session: id,
            user: arrival.user.id,
            device: arrival.device,
            isWatch: opening.isWatch,
            openedAt: self.now
        )
        self.write(.sessionOpened(record))
        self.noteContact(arrival.user.id)
        let welcome = Welcome(
            tag: opening.tag,
            user: self.users[person].profile,
            device: arrival.device,
            acknowledgedSequence: self.devices[device].tracker.acknowledged,
            groups: opening.isWatch ? nil : self.welcomeGroups(of: self.users[person]),
            blocked: opening.rooms == nil ? nil : arrival.blocked
        )
        self.effects.append(.welcome(id, welcome))
        self.readUp(person)
        self.attend(id)
        self.placeAreas(of: person)
        self.receiveBuffered(of: id)
    }

    private func welcomeGroups(of user: UserState) -> [Welcome.Group] {
        user.memberships.compactMap { id in
            guard let slot = self.groups.slot(of: id), let index = self.groups[slot].index(of: user.profile.id) else {
                return nil
            }
            return Welcome.Group(
                id: id,
                name: self.groups[slot].name,
                role: self.groups[slot].members[index].role,
                settings: self.groups[slot].settings,
                sharing: self.groups[slot].members[index].sharing.inForce(at: self.now),
                places: self.sights(in: slot, for: user.profile.id)
            )
        }
    }
}
