// Time is the wall's, and may go back when the server's clock is put right. What was noted of later times then would count as
// newest until they have passed: so it is taken as noted now, and what waits is looked at anew.

extension World {
    /// How far time may go back, in milliseconds, without anything to be forgotten: that has passed at once.
    static let timeTolerance: Int64 = 5_000

    /// Takes over the time of an input or tick.
    mutating func setTime(_ now: Timestamp) {
        let before = self.now
        self.now = now
        if before - now > Self.timeTolerance { self.turnBack() }
    }

    private mutating func turnBack() {
        for slot in self.devices.indices {
            self.devices[slot].gate.turnBack(to: self.now)
            self.devices[slot].lastActivity = min(self.devices[slot].lastActivity, self.now)
            self.deadlines.schedule(.device(self.devices.keys[slot]), at: self.now)
        }
        for slot in self.users.indices {
            self.users[slot].turnBack(to: self.now)
            self.markAll(of: slot)
            self.users[slot].nextDeadline = self.now
            self.deadlines.schedule(.user(self.users.keys[slot]), at: self.now)
        }
        for slot in self.groups.indices {
            self.groups[slot].lastActivity = min(self.groups[slot].lastActivity, self.now)
            self.groups[slot].usableUntil = min(self.groups[slot].usableUntil, self.now + Freshness.recentAge)
            self.groups[slot].setAside = nil
            self.turnBackMachine(of: slot)
            self.groups[slot].nextDeadline = self.now
            self.deadlines.schedule(.group(self.groups.keys[slot]), at: self.now)
        }
    }
}
