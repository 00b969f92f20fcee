extension World {
    /// The minimum increase of `lastSeen` that is published, in milliseconds.
    static let lastSeenStep: Int64 = 60_000
    /// The minimum increase of `lastSeen` that is written while nothing else changes, in milliseconds.
    static let lastSeenNoteStep: Int64 = 300_000

    /// Records a contact with a user's device: it sent something or disconnected.
    mutating func noteContact(_ user: UserID) {
        if let slot = self.users.slot(of: user) { self.noteContact(slot) }
    }

    /// Records a contact with a device of the user in a slot: it sent something or disconnected.
    mutating func noteContact(_ slot: Int) {
        self.users[slot].noteContact(at: self.now)
        self.refreshPresence(of: slot)
    }

    /// Recomputes a user's presence, and publishes and journals a change.
    mutating func refreshPresence(of slot: Int) {
        guard !self.isDraining else { return }
        let grace = self.configuration.presenceGrace
        let level = self.users[slot].presence.level(at: self.now, grace: grace)
        if level != self.users[slot].presence.shown {
            if self.users[slot].presence.shown == .online { self.users[slot].isDepartureOwed = true }
            self.users[slot].presence.shown = level
            self.users[slot].lastSeen = self.users[slot].lastContact
            self.users[slot].isPresenceOwed = true
            self.markChanged(of: slot)
        } else if level != .online, self.isStep(self.users[slot].lastSeen, Self.lastSeenStep, of: slot) {
            self.users[slot].lastSeen = self.users[slot].lastContact
            self.users[slot].isPresenceOwed = true
            self.markChanged(of: slot)
        } else if self.isStep(self.users[slot].lastSeenNoted, Self.lastSeenNoteStep, of: slot) {
            self.users[slot].isPresenceOwed = true
        }
        self.notePresence(of: slot)
        if let next = self.users[slot].presence.nextChange(after: self.now, grace: grace) {
            self.scheduleDeadline(of: slot, at: next)
        }
    }

    private mutating func notePresence(of slot: Int) {
        guard self.users[slot].isPresenceOwed else { return }
        let user = self.users.keys[slot]
        guard self.hasJournalCapacity else {
            self.deadlines.schedule(.user(user), at: self.now + 1_000)
            return
        }
        let lastContact = self.users[slot].lastContact
        let record = JournalRecord.presence(user, self.users[slot].presence.shown, lastSeen: lastContact)
        let waiter: JournalProgress.Waiter? = self.users[slot].isDepartureOwed ? .departure(user) : nil
        self.users[slot].isDepartureOwed = false
        self.users[slot].lastRecord = self.write(record, for: waiter)
        self.users[slot].lastSeenNoted = lastContact
        self.users[slot].isPresenceOwed = false
    }

    private func isStep(_ known: Timestamp?, _ step: Int64, of slot: Int) -> Bool {
        guard let contact = self.users[slot].lastContact else { return false }
        return known.map { contact - $0 >= step } ?? true
    }
}
