extension World {
    /// Loads an arriving user; storage's values are used only if the user is not loaded yet.
    mutating func insertUser(_ arrival: Arrival) -> Int {
        if let slot = self.users.slot(of: arrival.user.id) {
            // For a member of a group, the newest name arrives in the group's snapshots.
            if self.users[slot].memberships.isEmpty { self.users[slot].profile = arrival.user }
            return slot
        }
        return self.insertUser(
            arrival.user,
            position: arrival.position,
            presence: arrival.presence,
            lastSeen: arrival.lastSeen,
            inbox: NotificationInbox(lastNumber: arrival.lastNotification, unseen: arrival.unseen)
        )
    }

    /// Loads a member; storage's values are used only if the user is not loaded yet.
    mutating func insertUser(_ member: GroupSnapshot.Member) -> Int {
        self.users.slot(of: member.user.id)
            ?? self.insertUser(
                member.user,
                position: member.position,
                presence: member.presence,
                lastSeen: member.lastSeen,
                inbox: NotificationInbox(lastNumber: member.lastNotification, unseen: member.unseen)
            )
    }

    /// Loads the device of an arrival if it is not loaded yet.
    mutating func registerDevice(of arrival: Arrival) -> Int {
        if let slot = self.devices.slot(of: arrival.device) {
            self.devices[slot].lastActivity = self.now
            self.devices[slot].kind = arrival.kind
            return slot
        }
        if let person = self.users.slot(of: arrival.user.id) {
            self.users[person].devices.append(arrival.device)
            self.users[person].lead.recall(arrival.devices)
            // Stored times may come from a moment at which the clock was ahead.
            self.users[person].lead.rewind(to: self.now)
        }
        // A device with a session stays loaded; the end of the session schedules the rest.
        if self.sessionOfDevice[arrival.device.rawValue] == nil {
            self.deadlines.schedule(.device(arrival.device), at: self.now + self.configuration.deviceIdle)
        }
        let known = arrival.devices.first { $0.device == arrival.device }
        let shown = self.users.value(of: arrival.user.id)?.shown
        var accepted = shown.flatMap { $0.device == arrival.device && $0.verdict != .late ? $0.stored : nil }
        if let fix = known?.accepted {
            accepted = StoredPosition(device: arrival.device, fix: fix, isStationary: accepted?.isStationary ?? false)
        }
        var device = DeviceState(
            user: arrival.user.id,
            lastActivity: self.now,
            gate: FixGate(
                acknowledged: arrival.acknowledgedSequence,
                accepted: accepted,
                clockOffset: arrival.clockOffset,
                pendingFix: known?.pendingFix
            ),
            tracker: AckTracker(acknowledged: arrival.acknowledgedSequence),
            kind: arrival.kind
        )
        device.gate.rewind(to: self.now)
        device.session = self.sessionOfDevice[arrival.device.rawValue]
        return self.devices.insert(device, for: arrival.device)
    }

    /// Processes a due user: presence, the freshness of their position, and unloading.
    mutating func meetDeadline(of user: UserID) {
        guard let slot = self.users.slot(of: user) else { return }
        self.readUp(slot)
        self.meetArrivals(of: slot)
        self.refreshPresence(of: slot)
        self.markChanged(of: slot)
        self.scheduleFreshness(of: slot)
        guard self.users[slot].sessions.isEmpty, self.users[slot].memberships.isEmpty else { return }
        if self.canForget(self.users[slot]) {
            self.forget(user)
        } else {
            self.deadlines.schedule(.user(user), at: self.now + self.configuration.groupIdle)
        }
    }

    /// Processes a due device: resend requests and unloading.
    mutating func meetDeadline(of device: DeviceID) {
        guard let slot = self.devices.slot(of: device) else { return }
        if self.devices[slot].tracker.gap != nil { self.requestResend(from: device) }
        guard self.devices[slot].session == nil else { return }
        let end = self.devices[slot].lastActivity + self.configuration.deviceIdle
        if end <= self.now, self.devices[slot].tracker.isIdle {
            self.forgetDevice(device)
        } else {
            self.deadlines.schedule(.device(device), at: max(end, self.now + 1_000))
        }
    }

    /// Unloads a user and their devices.
    mutating func forget(_ user: UserID) {
        guard let state = self.users.remove(user) else { return }
        self.arrivals.remove(user)
        for device in state.devices {
            self.devices.remove(device)
            self.reportMemories[device] = nil
            self.deadlines.cancel(.device(device))
        }
        self.deadlines.cancel(.user(user))
    }

    /// Schedules the next change of a position's freshness.
    mutating func scheduleFreshness(of slot: Int) {
        guard let shown = self.users[slot].shown,
            let next = Freshness.nextChange(of: shown.at, isStationary: shown.isStationary, after: self.now)
        else { return }
        self.scheduleDeadline(of: slot, at: next)
    }

    /// Schedules a check of a user at `moment` or earlier.
    mutating func scheduleDeadline(of slot: Int, at moment: Timestamp) {
        guard moment < self.users[slot].nextDeadline else { return }
        self.users[slot].nextDeadline = moment
        self.deadlines.schedule(.user(self.users.keys[slot]), at: moment)
    }

    /// Marks everything that a user shows to their groups for publication at the end of the batch.
    mutating func markChanged(of slot: Int) {
        let user = self.users.keys[slot]
        for group in self.users[slot].memberships {
            guard let place = self.groups.slot(of: group), let index = self.groups[place].index(of: user) else {
                continue
            }
            self.groups[place].mark(index)
            self.queue(place)
        }
    }

    private mutating func insertUser(
        _ profile: UserProfile,
        position: StoredPosition?,
        presence stored: Presence,
        lastSeen: Timestamp?,
        inbox: NotificationInbox
    ) -> Int {
        // The clock may have been ahead at the start.
        let graceEnd = min(self.configuration.startedAt, self.now) + self.configuration.restartGrace
        var presence = PresenceState(stored: stored, until: graceEnd)
        presence.shown = presence.level(at: self.now, grace: self.configuration.presenceGrace)
        var state = UserState(profile: profile, presence: presence, inbox: inbox, at: self.now)
        state.isPresenceOwed = presence.shown != stored
        state.lastContact = lastSeen
        state.lastSeen = lastSeen
        state.lastSeenNoted = lastSeen
        if let number = self.recentNumbers.remove(profile.id) { state.inbox.note(given: number) }
        if let position {
            state.lead = DeviceLead(shown: position)
            state.shown = ShownPosition(stored: position)
            state.shown?.rewind(to: self.now)
            state.lead.rewind(to: self.now)
        }
        let idle = self.now + self.configuration.groupIdle
        let due = stored == .offline ? idle : min(idle, max(graceEnd, self.now))
        self.deadlines.schedule(.user(profile.id), at: due)
        let slot = self.users.insert(state, for: profile.id)
        self.scheduleFreshness(of: slot)
        return slot
    }

    private mutating func forgetDevice(_ device: DeviceID) {
        self.reportMemories[device] = nil
        guard let state = self.devices.remove(device), let person = self.users.slot(of: state.user) else { return }
        self.users[person].devices.removeAll { $0 == device }
    }

    private func canForget(_ user: UserState) -> Bool {
        user.presence.shown == .offline && !user.isUpdateDeferred && !user.isPresenceOwed
            && user.lastActivity + self.configuration.groupIdle <= self.now
            && user.lastRecord <= self.journal.committed
            && user.devices.allSatisfy { self.devices.value(of: $0)?.tracker.isIdle ?? true }
    }
}
