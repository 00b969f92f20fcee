extension World {
    /// The minimum time between two position writes, or two `self` messages, of one user, in milliseconds.
    static let throttleInterval: Int64 = 1_000
    /// The number of records per commit above which positions are written less often.
    static let lightLoad: Int64 = 1_000
    /// The maximum delay of a moving user's row in `position`, in milliseconds.
    static let longestPositionInterval: Int64 = 5_000
    /// The number of reports that a session may send before it is admitted.
    static let bufferedReports = 16

    /// Processes a fix of a session's device.
    mutating func receive(_ fix: Fix, of id: SessionID) {
        guard
            let slot = self.openSlot(of: id, orKeep: FixReport(origin: .session(id), fixes: [fix]))
        else { return }
        self.receive(CollectionOfOne(fix), of: id, in: slot)
    }

    /// Processes a report of a device.
    mutating func receive(_ report: FixReport) {
        switch report.origin {
        case .session(let id):
            guard let slot = self.openSlot(of: id, orKeep: report) else { return }
            self.receive(report.fixes, of: id, in: slot)
        case .request(let id):
            guard let arrival = report.arrival else { return }
            guard !self.recentEnds.contains(.user(arrival.user.id)) else {
                self.effects.append(.reportRefused(id))
                return
            }
            self.receive(report.fixes, request: id, arrival: arrival)
        }
    }

    /// Processes the reports that arrived before the session was admitted.
    mutating func receiveBuffered(of id: SessionID) {
        guard let slot = self.sessions.slot(of: id) else { return }
        let reports = self.sessions[slot].handshake?.buffered ?? []
        self.sessions[slot].handshake?.buffered = []
        for report in reports { self.receive(report) }
    }

    /// Sends and writes the positions that were throttled in the last second.
    mutating func sendDeferred() {
        let users = self.deferred
        self.deferred.removeAll(keepingCapacity: true)
        for user in users {
            guard let slot = self.users.slot(of: user) else { continue }
            self.users[slot].isUpdateDeferred = false
            self.writePosition(of: slot)
            self.sendSelf(of: slot)
        }
    }

    /// Returns the slot of an admitted session; otherwise buffers `report` until the session is admitted.
    private mutating func openSlot(of id: SessionID, orKeep report: @autoclosure () -> FixReport) -> Int? {
        guard let slot = self.sessions.slot(of: id) else { return nil }
        if self.sessions[slot].isOpen { return slot }
        self.keepBuffered(report(), of: id, in: slot)
        return nil
    }

    private mutating func keepBuffered(_ report: FixReport, of id: SessionID, in slot: Int) {
        guard self.sessions[slot].handshake?.buffered.count ?? 0 < Self.bufferedReports else {
            // If reports were dropped, a later acknowledgement would cover them.
            self.end(id, as: .unavailable)
            return
        }
        self.sessions[slot].handshake?.buffered.append(report)
    }

    private mutating func receive(_ fixes: some Collection<Fix>, of id: SessionID, in slot: Int) {
        let hints = (device: self.sessions[slot].deviceHint, person: self.sessions[slot].personHint)
        let device = self.devices.slot(of: self.sessions[slot].device, expectedAt: hints.device)
        let person = self.users.slot(of: self.sessions[slot].user, expectedAt: hints.person)
        if let device, device != Int(hints.device) { self.sessions[slot].deviceHint = UInt32(device) }
        guard let person else { return }
        if person != Int(hints.person) { self.sessions[slot].personHint = UInt32(person) }
        if let device { _ = self.apply(fixes, of: device, person: person, from: .session(id)) }
        self.noteContact(person)
    }

    private mutating func receive(_ fixes: [Fix], request: SessionID, arrival: Arrival) {
        let person = self.insertUser(arrival)
        let device = self.registerDevice(of: arrival)
        self.noteReport(of: arrival, person: person, lasting: PresenceState.reportLasts)
        let result = self.apply(fixes, of: device, person: person, from: .request(request))
        self.answer(request, with: result, of: device)
    }

    /// Processes a report of a phone's own app.
    mutating func receive(_ report: TrackerReport) {
        let arrival = report.arrival
        guard !self.recentEnds.contains(.user(arrival.user.id)) else {
            self.effects.append(.reportRefused(report.request))
            return
        }
        let person = self.insertUser(arrival)
        let device = self.registerDevice(of: arrival)
        self.reportMemories[arrival.device, default: ReportMemory()].merge(report.stored)
        self.noteReport(of: arrival, person: person, lasting: PresenceState.trackerReportLasts)
        var result = ReportResult()
        let origin = FixReport.Origin.request(report.request)
        self.devices[device].lastActivity = self.now
        for (fix, key) in zip(report.fixes, report.keys) {
            guard let fix = self.numbered(fix, key, of: device, from: origin, &result) else { continue }
            self.apply(fix, of: device, person: person, from: origin, key: key, &result)
        }
        if result.isStored { self.storeMemory(of: device, person: person) }
        self.answer(report.request, with: result, of: device)
    }

    /// Returns a fix of a tracker with the next number of its device; nil when it is repeated or malformed.
    private mutating func numbered(
        _ fix: Fix,
        _ key: ReportKey,
        of slot: Int,
        from origin: FixReport.Origin,
        _ result: inout ReportResult
    ) -> Fix? {
        var fix = fix
        let memory = self.reportMemories[self.devices.keys[slot]]
        if let number = memory?.number(of: key) {
            let record = self.devices[slot].tracker.record(of: number)
            self.totals.count(.duplicate)
            result.rejected.append(.init(sequence: number, verdict: .duplicate))
            result.record = max(result.record, record)
            // A fix without a pending record is durable, even if the acknowledged number is below it.
            if record > 0 { result.last = max(result.last, number) }
            return nil
        }
        let claimed = fix.at ?? self.now
        let fault = FixGate.timeFault(
            takenAt: claimed,
            receivedAt: self.now,
            retention: self.configuration.retention
        )
        if let fault {
            self.totals.badFixes += 1
            self.effects.append(.badFix(origin, sequence: 0, reason: fault))
            return nil
        }
        // After a gap, the number of the fix that storage did not accept; it was never stored.
        let highest = max(self.devices[slot].gate.highest, memory?.highest ?? 0)
        fix.sequence = self.devices[slot].tracker.gap?.first ?? highest + 1
        if fix.trigger == .answer { fix.answer = self.newestLocate(of: self.devices[slot].user) }
        return fix
    }

    /// Records a contact without a session, and loads the groups in which its position is shown.
    private mutating func noteReport(of arrival: Arrival, person: Int, lasting duration: Int64) {
        for group in arrival.groups where !self.groups.contains(group) {
            self.requestLoad(of: group)
            self.loads[group]?.isForReport = true
        }
        self.users[person].presence.reported(at: self.now, lasting: duration)
        self.noteContact(person)
    }

    /// Answers a request once its fixes are durable.
    private mutating func answer(_ request: SessionID, with result: ReportResult, of device: Int) {
        let waits = self.devices[device].tracker.await(
            request,
            record: result.record,
            last: result.last,
            rejected: result.rejected,
            reduced: result.reduced
        )
        if !waits {
            let known = self.devices[device].tracker.acknowledged
            let answer = Acknowledgement(
                sequence: known,
                rejected: result.rejected,
                reduced: result.reduced,
                isComplete: result.last <= known
            )
            self.effects.append(.acknowledged(.request(request), answer))
        }
        self.acknowledge(device)
    }

    /// The outcome of a report's fixes.
    private struct ReportResult {
        /// The record that the last fix waits for; 0 for none.
        var record: Int64 = 0
        /// The highest number that must be acknowledged before a tracker's report is complete.
        var last: Int64 = 0
        var rejected: [Acknowledgement.Rejection] = []
        var reduced: [Acknowledgement.Reduction] = []
        /// Whether the last fix to be stored was journaled; then the journal has everything that the device's state
        /// depends on.
        var isStored = false
        /// Whether an acknowledgement is due before any further commit.
        var acknowledgesAtOnce = false
    }

    private mutating func apply(
        _ fixes: some Collection<Fix>,
        of slot: Int,
        person: Int,
        from origin: FixReport.Origin
    ) -> ReportResult {
        var result = ReportResult()
        self.devices[slot].lastActivity = self.now
        for fix in fixes { self.apply(fix, of: slot, person: person, from: origin, &result) }
        if result.isStored { self.storeMemory(of: slot, person: person) }
        if case .session = origin, result.acknowledgesAtOnce { self.acknowledge(slot) }
        return result
    }

    private mutating func apply(
        _ fix: Fix,
        of slot: Int,
        person: Int,
        from origin: FixReport.Origin,
        key: ReportKey? = nil,
        _ result: inout ReportResult
    ) {
        let isForSession = if case .session = origin { true } else { false }
        let evaluation = self.devices[slot].gate.evaluate(
            fix,
            receivedAt: self.now,
            newestShown: self.users[person].shown?.at,
            retention: self.configuration.retention
        )
        switch evaluation {
        case .malformed(let reason):
            self.totals.badFixes += 1
            self.devices[slot].tracker.add(fix, verdict: nil, record: 0, isForSession: isForSession)
            result.acknowledgesAtOnce = true
            self.effects.append(.badFix(origin, sequence: fix.sequence, reason: reason))
        case .evaluated(var evaluated):
            let device = self.devices.keys[slot]
            if self.devices[slot].tracker.repeats(fix.sequence) { evaluated.verdict = .duplicate }
            if let pendingFix = evaluated.confirmed {
                self.confirm(pendingFix, of: slot, person: person)
            }
            self.users[person].lead.evaluate(
                &evaluated,
                of: fix,
                from: device,
                kind: self.devices[slot].kind,
                shown: self.users[person].shown?.device
            )
            self.totals.count(evaluated.verdict)
            if evaluated.verdict != .ok {
                result.rejected.append(.init(sequence: fix.sequence, verdict: evaluated.verdict))
            }
            if !fix.dropped.isEmpty { result.reduced.append(.init(sequence: fix.sequence, dropped: fix.dropped)) }
            guard evaluated.verdict != .duplicate else {
                let record = self.devices[slot].tracker.record(of: fix.sequence)
                self.devices[slot].tracker.add(fix, verdict: .duplicate, record: record, isForSession: isForSession)
                result.record = max(result.record, record)
                result.acknowledgesAtOnce = true
                return
            }
            var stored = fix
            stored.at = evaluated.at
            let record = self.store(stored, evaluated, of: slot, isForSession: isForSession, key: key)
            if key != nil { result.last = max(result.last, fix.sequence) }
            result.record = max(result.record, record)
            result.isStored = record > 0
            self.use(stored, evaluated, claimed: fix.at, of: slot, person: person)
        }
    }

    /// Uses a pending implausible fix that was confirmed, and rewrites its stored verdict.
    private mutating func confirm(_ pendingFix: PendingFix, of slot: Int, person: Int) {
        let device = self.devices.keys[slot]
        var evaluated = pendingFix.evaluated(newestShown: self.users[person].shown?.at)
        self.users[person].lead.evaluate(
            &evaluated,
            of: pendingFix.fix,
            from: device,
            kind: self.devices[slot].kind,
            shown: self.users[person].shown?.device
        )
        self.write(.verdict(device, sequence: pendingFix.fix.sequence, at: pendingFix.at, evaluated.verdict))
        self.use(pendingFix.fix, evaluated, claimed: pendingFix.claimed, of: slot, person: person)
    }

    /// Journals a fix and returns its record number; 0 when storage cannot accept it at present.
    private mutating func store(
        _ fix: Fix,
        _ evaluated: EvaluatedFix,
        of slot: Int,
        isForSession: Bool,
        key: ReportKey?
    ) -> Int64 {
        let device = self.devices.keys[slot]
        guard self.hasJournalCapacity, self.devices[slot].tracker.admits(fix.sequence) else {
            if self.devices[slot].tracker.gap == nil || !self.hasJournalCapacity { self.stall(slot) }
            self.devices[slot].tracker.miss(fix.sequence)
            self.forgetGap(of: slot)
            return 0
        }
        let record = FixRecord(
            device: device,
            user: self.devices[slot].user,
            fix: fix,
            receivedAt: self.now,
            verdict: evaluated.verdict,
            clockOffset: self.devices[slot].gate.clockOffset.map(Int32.init(clamping:))
        )
        let row = key.map { JournalRecord.trackerFix(record, $0) } ?? .fix(record)
        let number = self.write(row, for: .fix(device, hint: UInt32(slot)))
        if let key { self.reportMemories[device]?.note(key, fix.sequence) }
        self.devices[slot].tracker.addStored(
            fix,
            verdict: evaluated.verdict,
            record: number,
            isForSession: isForSession
        )
        return number
    }

    /// Journals the persistent state of a device, unless storage has it already: once for all fixes of a report.
    private mutating func storeMemory(of slot: Int, person: Int) {
        let device = self.devices.keys[slot]
        let hasMoved = self.users[person].lead.consumeChange(of: device)
        let isPendingFixChanged = self.devices[slot].gate.consumeChange()
        guard hasMoved || isPendingFixChanged else { return }
        let record = DeviceRecord(
            device: device,
            user: self.devices[slot].user,
            receivedAt: self.now,
            clockOffset: self.devices[slot].gate.clockOffset.map(Int32.init(clamping:)),
            memory: DeviceMemory(
                anchor: self.users[person].lead.anchor(of: device),
                pendingAt: self.devices[slot].gate.pendingAt
            )
        )
        self.write(.device(record))
    }

    /// Applies a fix: shows it, passes it to gatherings, and answers the locate request that it responds to.
    private mutating func use(_ fix: Fix, _ evaluated: EvaluatedFix, claimed: Timestamp?, of slot: Int, person: Int) {
        self.noteArrivals(of: person, fix, evaluated, from: self.devices.keys[slot])
        let position = ShownPosition(
            device: self.devices.keys[slot],
            fix: fix,
            at: evaluated.at,
            takenBefore: min(evaluated.at, claimed ?? self.now, self.now),
            isTimeKnown: claimed == nil || self.devices[slot].gate.clockOffset != nil,
            verdict: evaluated.verdict,
            isStationary: evaluated.isStationary
        )
        if evaluated.isShown {
            self.users[person].show(position)
            self.moveAreas(of: person, to: position.fix.coordinate)
            self.markGlances(of: person, at: position.fix.coordinate)
            self.scheduleFreshness(of: person)
            self.writePosition(of: person)
            self.sendSelf(of: person)
        }
        if evaluated.isShown || evaluated.drivesGatherings { self.updateGroups(of: person, position, evaluated) }
        if let locate = fix.answer, fix.trigger == .answer {
            self.answer(locate, with: position, of: self.users.keys[person])
        }
    }

    /// The minimum time between two writes of one user's position, in milliseconds.
    ///
    /// It exceeds one second while thousands of records are waiting. A busy database can best do without a position
    /// that the next one overwrites, and its write costs as much as ten fixes. The newest fix of every user is in the
    /// history, from which a restart updates the positions.
    ///
    /// - Parameter load: the number of records that storage makes durable at a time.
    /// - Returns: milliseconds.
    package static func positionInterval(load: Int64) -> Int64 {
        let surplus = max(0, load - self.lightLoad)
        return min(self.throttleInterval + surplus * 4, self.longestPositionInterval)
    }

    private mutating func writePosition(of slot: Int) {
        guard self.users[slot].isPositionOwed, let shown = self.users[slot].shown else { return }
        let interval = Self.positionInterval(load: self.journal.load)
        let isEarly = self.users[slot].lastPositionWrite.map { self.now - $0 < interval } ?? false
        guard !isEarly || self.isDraining, self.hasJournalCapacity else {
            self.deferUpdate(slot)
            return
        }
        let record = JournalRecord.position(self.users.keys[slot], shown.stored, shown.verdict)
        self.users[slot].lastRecord = self.write(record)
        self.users[slot].lastPositionWrite = self.now
        self.users[slot].isPositionOwed = false
    }

    private mutating func sendSelf(of slot: Int) {
        guard self.users[slot].isSelfOwed, let shown = self.users[slot].shown else { return }
        guard self.users[slot].lastSelfSent.map({ self.now - $0 >= Self.throttleInterval }) ?? true else {
            self.deferUpdate(slot)
            return
        }
        self.users[slot].isSelfOwed = false
        for id in self.users[slot].sessions {
            guard let session = self.sessions.slot(of: id), !self.sessions[session].isWatch,
                self.sessions[session].device != shown.device
            else { continue }
            let position = SelfPosition(
                coordinate: shown.fix.coordinate,
                accuracy: shown.fix.accuracy,
                at: shown.at,
                device: shown.device
            )
            self.effects.append(.selfMoved(id, position))
            self.users[slot].lastSelfSent = self.now
        }
    }

    private mutating func deferUpdate(_ slot: Int) {
        guard !self.users[slot].isUpdateDeferred else { return }
        self.users[slot].isUpdateDeferred = true
        self.deferred.append(self.users.keys[slot])
    }
}
