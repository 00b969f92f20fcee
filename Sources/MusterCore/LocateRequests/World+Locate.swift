extension World {
    /// The minimum time between two locate requests of one user for another, in milliseconds.
    static let locateInterval: Int64 = 60_000
    /// The time in milliseconds for which a request waits when it reaches only devices without a session.
    static let closedAppTimeout: Int64 = 300_000

    /// Requests the position of a member from their devices.
    ///
    /// The answer does not depend on whether the target shares or has blocked the asker.
    ///
    /// - Parameters:
    ///   - target: the member.
    ///   - group: the common group.
    ///   - session: the session that asks.
    ///   - tag: the tag of its request.
    ///   - others: the number of the target's devices that can be asked without a session.
    mutating func locate(
        _ target: UserID,
        in group: GroupID,
        for session: SessionID,
        tag: RequestTag?,
        others: Int
    ) {
        guard let slot = self.sessions.slot(of: session) else { return }
        let asker = self.sessions[slot].user
        guard self.sessions[slot].isOpen, self.isMember(asker, of: group),
            let profile = self.users.value(of: asker)?.profile
        else {
            self.effects.append(.refused(session, tag, .notMember))
            return
        }
        guard self.isMember(target, of: group), let person = self.users.slot(of: target) else {
            self.effects.append(.refused(session, tag, .notFound))
            return
        }
        let pair = LocatePair(asker: asker, target: target)
        if let last = self.locateOfPair[pair].flatMap({ self.locates.value(of: $0) }) {
            let wait = last.askedAt + Self.locateInterval - self.now
            if wait > 0 {
                self.effects.append(.refused(session, tag, .rateLimited(retryAfter: wait)))
                return
            }
        }
        let id: LocateID = self.identifiers.next(at: self.now)
        let reached = self.users[person].sessions.filter { self.sessions.value(of: $0)?.isWatch == false }
        let isClosed = reached.isEmpty && others > 0
        let timeout = isClosed ? Self.closedAppTimeout : self.configuration.locateTimeout
        let locate = LocateState(session: session, group: group, pair: pair, askedAt: self.now, timeout: timeout)
        self.locates.insert(locate, for: id)
        self.locateOfPair[pair] = id
        self.deadlines.schedule(.locate(id), at: self.now + min(timeout, Self.locateInterval))
        let devices = reached.count + others
        self.effects.append(
            .locate(.started(session, tag, id, devices: devices, expiresAt: locate.expiresAt))
        )
        // A blocked user gets the same answer, but the target is not asked.
        guard self.chat.blocked[target]?.contains(asker) != true else { return }
        for device in reached { self.effects.append(.locate(.asked(device, id, group: group, from: profile))) }
        guard others > 0 else { return }
        self.effects.append(
            .locate(.pushed(id, group: group, from: profile, to: target, at: self.now, expiresAt: locate.expiresAt))
        )
    }

    /// Sends a new session the open requests for its user's position, which may have opened the app.
    mutating func askAgain(_ session: SessionID, of user: UserID) {
        for slot in self.locates.indices {
            let locate = self.locates[slot]
            guard locate.pair.target == user, !locate.isDone, !locate.isRefused,
                self.now < locate.expiresAt,
                self.isMember(user, of: locate.group), self.isMember(locate.pair.asker, of: locate.group),
                let profile = self.users.value(of: locate.pair.asker)?.profile,
                self.chat.blocked[user]?.contains(locate.pair.asker) != true
            else { continue }
            let id = self.locates.keys[slot]
            self.effects.append(.locate(.asked(session, id, group: locate.group, from: profile)))
        }
    }

    /// Stops asking further devices; the asker is not told.
    mutating func refuse(_ id: LocateID, by user: UserID) {
        guard let slot = self.locates.slot(of: id), self.locates[slot].pair.target == user else { return }
        self.locates[slot].isRefused = true
    }

    /// Sends the asker the target's position, as far as the group may see it.
    mutating func answer(_ id: LocateID, with position: ShownPosition, of user: UserID) {
        guard let slot = self.locates.slot(of: id) else { return }
        let locate = self.locates[slot]
        guard !locate.isDone, locate.pair.target == user, self.isPlace(position.verdict),
            self.now < locate.expiresAt,
            self.sessions.contains(locate.session), self.isMember(locate.pair.asker, of: locate.group),
            let group = self.groups.slot(of: locate.group), let index = self.groups[group].index(of: user)
        else { return }
        let seen = self.groups[group].members[index].sharing.view(of: position, at: self.now)
        guard let coordinate = seen.coordinate else { return }
        self.locates[slot].isDone = true
        let place = SelfPosition(
            coordinate: coordinate,
            accuracy: seen.accuracy,
            at: position.at,
            device: position.device
        )
        self.effects.append(.locate(.found(locate.session, id, user: user, place)))
    }

    /// Expires an unanswered request, and removes it when its rate limit interval is over.
    mutating func meetDeadline(of id: LocateID) {
        guard let slot = self.locates.slot(of: id) else { return }
        let locate = self.locates[slot]
        let age = self.now - locate.askedAt
        if !locate.isDone, age >= locate.timeout {
            self.locates[slot].isDone = true
            if self.sessions.contains(locate.session) { self.effects.append(.locate(.expired(locate.session, id))) }
        }
        let end = max(locate.timeout, Self.locateInterval)
        guard age >= end else {
            self.deadlines.schedule(.locate(id), at: locate.askedAt + end)
            return
        }
        self.locates.remove(id)
        if self.locateOfPair[locate.pair] == id { self.locateOfPair[locate.pair] = nil }
    }

    private func isMember(_ user: UserID, of group: GroupID) -> Bool {
        self.groups.slot(of: group).map { self.groups[$0].index(of: user) != nil } ?? false
    }

    /// Whether a fix with this verdict states where the user is.
    private func isPlace(_ verdict: FixVerdict) -> Bool {
        switch verdict {
        case .ok, .future, .inaccurate, .late: true
        case .duplicate, .outOfOrder, .implausible, .secondary: false
        }
    }
}
