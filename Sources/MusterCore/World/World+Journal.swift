extension World {
    /// The minimum and the maximum time between two resend requests to a device, in milliseconds.
    static let resendPause: ClosedRange<Int64> = 5_000...60_000

    /// Notifies all waiters whose records are durable now.
    mutating func commit(through record: Int64, failed: [Int64], numbers: [NumberedRecord]) {
        guard self.journal.commit(through: record) else { return }
        let refused = Set(failed)
        var given: [Int64: Int64] = [:]
        for entry in numbers { given[entry.record] = entry.number }
        while let next = self.journal.popCommitted() {
            switch next.waiter {
            case .fix(let device, let hint):
                if !failed.isEmpty, refused.contains(next.record) { self.refuse(next.record, of: device) }
                self.queueAcknowledging(of: device, expectedAt: hint)
            case .notification(let user):
                self.deliver(next.record, as: given[next.record], of: user)
            case .departure(let user):
                guard self.users.value(of: user)?.presence.shown != .online else { continue }
                self.effects.append(.chat(.wentAway(user)))
            }
        }
        self.acknowledgeQueued()
        self.resumeStalled()
    }

    /// Queues a device for one acknowledgement, however many of its fixes became durable.
    private mutating func queueAcknowledging(of device: DeviceID, expectedAt hint: UInt32) {
        guard let slot = self.devices.slot(of: device, expectedAt: hint), !self.devices[slot].isAcknowledging else {
            return
        }
        self.devices[slot].isAcknowledging = true
        self.acknowledging.append(slot)
    }

    private mutating func acknowledgeQueued() {
        for index in self.acknowledging.indices {
            let slot = self.acknowledging[index]
            self.devices[slot].isAcknowledging = false
            self.acknowledge(slot)
        }
        self.acknowledging.removeAll(keepingCapacity: true)
    }

    /// Sends the acknowledgements that are due for a device's fixes.
    mutating func acknowledge(_ slot: Int) {
        let dueAcknowledgements = self.devices[slot].tracker.acknowledge(committed: self.journal.committed)
        if let acknowledgement = dueAcknowledgements.session, let session = self.devices[slot].session {
            self.effects.append(.acknowledged(.session(session), acknowledgement))
        }
        for (request, acknowledgement) in dueAcknowledgements.requests {
            self.effects.append(.acknowledged(.request(request), acknowledgement))
        }
    }

    /// Records a device whose fixes did not fit into the journal.
    mutating func stall(_ slot: Int) {
        guard !self.devices[slot].isStalled else { return }
        self.devices[slot].isStalled = true
        self.stalled.append(self.devices.keys[slot])
    }

    /// Removes the fixes that storage did not accept from the gate's memory, so that they count as new when resent.
    mutating func forgetGap(of slot: Int) {
        guard let gap = self.devices[slot].tracker.gap else { return }
        self.devices[slot].gate.rollBack(to: gap.first - 1)
    }

    /// Requests a resend of the fixes that storage did not accept, when there is space for them.
    mutating func requestResend(from device: DeviceID) {
        guard let slot = self.devices.slot(of: device), let gap = self.devices[slot].tracker.gap else { return }
        let pause = Self.resendPause
        let wait = gap.attempts < 4 ? pause.lowerBound << Int64(gap.attempts) : pause.upperBound
        self.deadlines.schedule(.device(device), at: self.now + min(wait, pause.upperBound))
        guard self.hasJournalCapacity, let session = self.devices[slot].session,
            let after = self.devices[slot].tracker.resendAfter()
        else { return }
        self.effects.append(.resend(session, after: after))
    }

    /// Freezes presence and writes throttled positions.
    mutating func beginDrain() {
        self.isDraining = true
        self.sendDeferred()
    }

    private mutating func refuse(_ record: Int64, of device: DeviceID) {
        guard let slot = self.devices.slot(of: device),
            let number = self.devices[slot].tracker.refuse(record: record)
        else { return }
        self.reportMemories[device]?.forget(number)
        self.forgetGap(of: slot)
        // Not at once: storage is likely to refuse the row again.
        self.deadlines.schedule(.device(device), at: self.now + Self.resendPause.lowerBound)
    }

    private mutating func resumeStalled() {
        // At half the limit, so that the first devices to resend do not fill the journal again for all others.
        guard !self.stalled.isEmpty, self.journal.backlog <= self.configuration.journalLimit / 2 else { return }
        let devices = self.stalled
        self.stalled = []
        for device in devices {
            guard let slot = self.devices.slot(of: device) else { continue }
            self.devices[slot].isStalled = false
            self.requestResend(from: device)
        }
    }
}
