// Time is wall clock time and may go back when the server's clock is corrected. Moments recorded under the later clock
// would then count as newest until they have passed. So they are reduced to the present, and everything that waits is
// checked again.

extension World {
    /// The step in milliseconds by which time may go back without any correction; it passes quickly.
    static let timeTolerance: Int64 = 5_000

    /// Sets the time of an input or tick.
    mutating func setTime(_ now: Timestamp) {
        let before = self.now
        self.now = now
        if before - now > Self.timeTolerance { self.rewind() }
    }

    private mutating func rewind() {
        for slot in self.devices.indices {
            self.devices[slot].gate.rewind(to: self.now)
            self.devices[slot].lastActivity = min(self.devices[slot].lastActivity, self.now)
            self.deadlines.schedule(.device(self.devices.keys[slot]), at: self.now)
        }
        for slot in self.users.indices {
            self.users[slot].rewind(to: self.now)
            self.markChanged(of: slot)
            self.users[slot].nextDeadline = self.now
            self.deadlines.schedule(.user(self.users.keys[slot]), at: self.now)
        }
        for slot in self.groups.indices {
            self.groups[slot].lastActivity = min(self.groups[slot].lastActivity, self.now)
            self.groups[slot].usableUntil = min(self.groups[slot].usableUntil, self.now + Freshness.recentAge)
            self.groups[slot].suspension?.retryAt = self.now
            for index in self.groups[slot].members.indices {
                self.groups[slot].members[index].sharing.rewind(to: self.now)
            }
            self.rewindMachine(of: slot)
            self.groups[slot].nextDeadline = self.now
            self.deadlines.schedule(.group(self.groups.keys[slot]), at: self.now)
        }
        self.rewindArrivals()
        self.rewindRequests()
        self.rewindGlances()
    }

    private mutating func rewindRequests() {
        for slot in self.locates.indices {
            let askedAt = min(self.locates[slot].askedAt, self.now)
            let due = min(self.locates[slot].timeout, Self.locateInterval)
            self.locates[slot].askedAt = askedAt
            self.deadlines.schedule(.locate(self.locates.keys[slot]), at: askedAt + due)
        }
    }

    private mutating func rewindGlances() {
        self.glanceSpots.rewind(to: self.now)
        for session in self.glances.keys.sorted() {
            self.glances[session]?.rewind(to: self.now)
            self.deadlines.schedule(.glance(session), at: self.now)
        }
    }
}
