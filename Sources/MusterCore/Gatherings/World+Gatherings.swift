extension World {
    /// Passes a position to the user's groups: to the roster if it is shown, and to the gathering if it drives
    /// gatherings and the user shares it.
    mutating func updateGroups(of person: Int, _ position: ShownPosition, _ evaluated: EvaluatedFix) {
        let user = self.users.keys[person]
        var isFirst = true
        for group in self.users[person].memberships {
            defer { isFirst = false }
            guard let slot = isFirst ? self.slot(ofFirst: group, of: person) : self.groups.slot(of: group) else {
                continue
            }
            let followUp = self.groups[slot].receive(position, evaluated, of: user, at: self.now)
            if followUp.isFirst { self.changedGroups.append(group) }
            if let due = followUp.deadline { self.deadlines.schedule(.group(group), at: due) }
        }
    }

    /// The slot of the user's first group, which is the only group of most users.
    private mutating func slot(ofFirst group: GroupID, of person: Int) -> Int? {
        let hint = self.users[person].groupHint
        let slot = self.groups.slot(of: group, expectedAt: hint)
        if let slot, slot != Int(hint) { self.users[person].groupHint = UInt32(slot) }
        return slot
    }

    /// Applies a change to a group's gathering machine and executes its decisions.
    mutating func applyToMachine(_ change: GatheringChange, of slot: Int) {
        let now = self.now
        if self.groups[slot].suspension == nil {
            self.decide(in: slot) { $0.apply(change, at: now, identifiers: &$1) }
        }
        // Changes that hide a member apply even while the group is suspended; applying them twice has no effect.
        if self.groups[slot].suspension != nil {
            let before = self.groups[slot].participants
            let events = self.groups[slot].machine.applyUndecided(change)
            self.execute(events, in: slot, participants: before)
        }
        self.scheduleMachine(of: slot)
    }

    /// Evaluates a group's gathering machine if it is due, and executes its decisions.
    mutating func evaluateMachine(of slot: Int) {
        guard let due = self.groups[slot].machineDeadline, due <= self.now else { return }
        if self.groups[slot].suspension != nil {
            let members = self.machineMembers(of: self.groups[slot])
            self.groups[slot].machine.catchUp(with: members)
        }
        let now = self.now
        self.decide(in: slot) { $0.evaluate(at: now, identifiers: &$1) }
    }

    /// Lends the spot index to a group's machine during a decision, and executes the result.
    private mutating func decide(
        in slot: Int,
        _ body: (inout GatheringMachine, inout IdentifierGenerator) -> [GatheringEvent]
    ) {
        let before = self.groups[slot].participants
        if self.configuration.tracesGatherings { self.groups[slot].machine.trace = [] }
        swap(&self.spots, &self.groups[slot].machine.spots)
        let began = self.configuration.stopwatch?()
        let events = body(&self.groups[slot].machine, &self.identifiers)
        let time = began.flatMap { began in self.configuration.stopwatch.map { $0() - began } } ?? 0
        swap(&self.spots, &self.groups[slot].machine.spots)
        self.execute(events, in: slot, participants: before)
        self.noteDecision(in: slot, taking: time)
    }

    /// Creates the machine of a group being loaded, from its stored state if there is one.
    func makeMachine(of group: GroupState, from snapshot: GroupSnapshot) -> GatheringMachine {
        let members = self.machineMembers(
            of: group,
            usable: Dictionary(
                snapshot.members.compactMap { member in member.usablePosition.map { (member.user.id, $0) } }
            ) { first, _ in first }
        )
        var machine =
            snapshot.gathering.flatMap {
                GatheringMachine(restoring: $0, settings: group.settings, members: members, at: self.now)
            } ?? GatheringMachine(settings: group.settings, members: members, at: self.now)
        machine.instantBudget = self.configuration.instantBudget
        machine.progress = self.configuration.progress
        return machine
    }

    /// The members of a group as input of its machine.
    ///
    /// `usable` contains the last accurate position of members whose newest one is inaccurate.
    private func machineMembers(
        of group: GroupState,
        usable: [UserID: StoredPosition] = [:]
    ) -> [GatheringMachine.Member] {
        group.members.map { member in
            let sharing = member.sharing
            var shown = self.users.value(of: member.user)?.shown
            if shown?.fix.accuracy ?? 0 > FixGate.accuracyLimit {
                shown = usable[member.user].flatMap(ShownPosition.init(stored:))
                shown?.rewind(to: self.now)
            }
            let position = shown.flatMap { sharing.mode == .live && sharing.shows($0) ? $0.stored : nil }
            return GatheringMachine.Member(
                user: member.user,
                isSharingLive: sharing.mode == .live,
                position: position
            )
        }
    }

    /// Recreates a machine after the clock was set back.
    mutating func rewindMachine(of slot: Int) {
        let members = self.machineMembers(of: self.groups[slot])
        let settings = self.groups[slot].settings
        var machine =
            self.groups[slot].machine.stored.flatMap {
                GatheringMachine(restoring: $0, settings: settings, members: members, at: self.now)
            } ?? GatheringMachine(settings: settings, members: members, at: self.now)
        machine.instantBudget = self.configuration.instantBudget
        machine.progress = self.configuration.progress
        self.groups[slot].machine = machine
    }

    /// Restores a machine that started without its stored state, once that state arrives.
    mutating func restoreMachine(of slot: Int, from snapshot: GroupSnapshot) {
        guard !self.groups[slot].isMachineRestored, snapshot.gathering != nil,
            self.groups[slot].machine.stored == nil
        else { return }
        self.groups[slot].isMachineRestored = true
        self.groups[slot].machine = self.makeMachine(of: self.groups[slot], from: snapshot)
        if let status = self.groups[slot].machine.status {
            self.groups[slot].gatheringChange = .changed(status, current: status)
            self.queue(slot)
            self.markGlances(in: slot)
        }
        self.scheduleMachine(of: slot)
    }

    /// The members near a user who do not count as together with them, with the reason, in each of their groups.
    package func unlinked(near user: UserID) -> [(group: GroupID, pair: UnlinkedPair)] {
        guard let person = self.users.slot(of: user) else { return [] }
        return self.users[person].memberships.flatMap { group in
            let slot = self.groups.slot(of: group)
            return slot.map { self.groups[$0].machine.unlinked(near: user).map { (group, $0) } } ?? []
        }
    }

    private mutating func scheduleMachine(of slot: Int) {
        guard let due = self.groups[slot].machineDeadline else { return }
        self.deadlines.schedule(.group(self.groups.keys[slot]), at: due)
    }

    private mutating func execute(_ events: [GatheringEvent], in slot: Int, participants before: [UserID]) {
        if let trace = self.groups[slot].machine.trace {
            self.reasons += trace.map { (self.groups.keys[slot], $0) }
            self.groups[slot].machine.trace = nil
        }
        var isStored = false
        var isStateChanged = false
        for event in events {
            switch event {
            case .began(let status, let at), .changed(let status, let at), .ended(let status, let at):
                self.say(event, in: slot)
                self.send(status, decidedAt: at, in: slot, participants: before)
                isStored = true
            case .alert(let alert):
                self.raise(alert, in: slot)
            case .stateChanged:
                isStateChanged = true
            }
        }
        guard isStateChanged, !isStored else { return }
        let record = JournalRecord.machine(self.groups.keys[slot], self.groups[slot].machine.stored)
        self.groups[slot].lastRecord = self.write(record)
    }

    /// Posts a message to the room when a gathering began, moved for the first time, or ended.
    private mutating func say(_ event: GatheringEvent, in slot: Int) {
        let group = self.groups.keys[slot]
        switch event {
        case .began(let status, _): self.say("began", of: status, in: group)
        case .changed(let status, _):
            guard status.state == .moved, self.groups[slot].roster.gathering?.state != .moved else { return }
            self.say("moved", of: status, in: group)
        case .ended(let status, _): self.say("ended", of: status, in: group)
        case .alert, .stateChanged: break
        }
    }

    private mutating func send(
        _ status: GatheringStatus,
        decidedAt instant: Timestamp,
        in slot: Int,
        participants before: [UserID]
    ) {
        let current = status.state == .ended ? nil : status
        self.groups[slot].gatheringChange = .changed(status, current: current)
        self.queue(slot)
        self.markGlances(in: slot)
        let machine = self.groups[slot].machine
        let isOpen = machine.status?.gathering == status.gathering
        let participants = Set(isOpen ? machine.participants : before).union(status.together)
        let record = GatheringRecord(
            group: self.groups.keys[slot],
            status: status,
            at: self.now,
            instant: instant,
            participants: participants.sorted(),
            machine: machine.stored
        )
        self.groups[slot].lastRecord = self.write(.gathering(record))
    }

    private mutating func raise(_ alert: GatheringAlert, in slot: Int) {
        guard self.users.contains(alert.user) else { return }
        self.totals.alerts += 1
        let companions = alert.together.map { id in
            LeftWithoutYou.Companion(id: id, name: self.users.value(of: id)?.profile.name ?? "")
        }
        let notification = LeftWithoutYou(
            user: alert.user,
            group: self.groups.keys[slot],
            groupName: self.groups[slot].name,
            gathering: alert.gathering,
            variant: alert.variant,
            at: alert.at,
            since: alert.since,
            place: alert.place,
            together: companions,
            distance: alert.distance,
            you: alert.you
        )
        self.groups[slot].lastRecord = self.store(notification.content, for: alert.user)
    }
}
