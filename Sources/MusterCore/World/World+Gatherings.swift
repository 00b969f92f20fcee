extension World {
    /// Lets a person's groups know where they are: the roster if that is shown, the gathering if it is to be driven by it and
    /// they share it.
    mutating func tellGroups(of person: Int, _ position: ShownPosition, _ judged: JudgedFix) {
        let user = self.users.keys[person]
        var isFirst = true
        for group in self.users[person].memberships {
            defer { isFirst = false }
            guard let slot = isFirst ? self.slot(ofFirst: group, of: person) : self.groups.slot(of: group) else {
                continue
            }
            let news = self.groups[slot].receive(position, judged, of: user, at: self.now)
            if news.isFirst { self.changedGroups.append(group) }
            if let due = news.deadline { self.deadlines.schedule(.group(group), at: due) }
        }
    }

    /// Where the first of a person's groups is, which is the only one of most people.
    private mutating func slot(ofFirst group: GroupID, of person: Int) -> Int? {
        let hint = self.users[person].groupHint
        let slot = self.groups.slot(of: group, expectedAt: hint)
        if let slot, slot != Int(hint) { self.users[person].groupHint = UInt32(slot) }
        return slot
    }

    /// Tells a group's machine of a change, and carries out what it decides.
    mutating func applyToMachine(
        _ change: GatheringChange,
        of slot: Int,
        into effects: inout [WorldEffect]
    ) {
        let now = self.now
        if self.groups[slot].setAside == nil {
            self.decide(in: slot, into: &effects) { $0.apply(change, at: now, identifiers: &$1) }
        }
        // What hides somebody holds also where nothing is decided; to apply it twice changes nothing.
        if self.groups[slot].setAside != nil {
            let before = self.groups[slot].participants
            let events = self.groups[slot].machine.applyUndecided(change)
            self.carryOut(events, in: slot, participants: before, into: &effects)
        }
        self.scheduleMachine(of: slot)
    }

    /// Lets a group's machine decide what is due, and carries it out.
    mutating func evaluateMachine(of slot: Int, into effects: inout [WorldEffect]) {
        guard let due = self.groups[slot].machineDeadline, due <= self.now else { return }
        if self.groups[slot].setAside != nil {
            let members = self.machineMembers(of: self.groups[slot])
            self.groups[slot].machine.catchUp(with: members)
        }
        let now = self.now
        self.decide(in: slot, into: &effects) { $0.evaluate(at: now, identifiers: &$1) }
    }

    /// Lends a group's machine the spots for as long as it decides, and carries that out.
    private mutating func decide(
        in slot: Int,
        into effects: inout [WorldEffect],
        _ body: (inout GatheringMachine, inout IdentifierGenerator) -> [GatheringEvent]
    ) {
        let before = self.groups[slot].participants
        if self.configuration.tracesGatherings { self.groups[slot].machine.trace = [] }
        swap(&self.spots, &self.groups[slot].machine.spots)
        let began = self.configuration.stopwatch?()
        let events = body(&self.groups[slot].machine, &self.identifiers)
        let time = began.flatMap { began in self.configuration.stopwatch.map { $0() - began } } ?? 0
        swap(&self.spots, &self.groups[slot].machine.spots)
        self.carryOut(events, in: slot, participants: before, into: &effects)
        self.noteDecision(in: slot, taking: time, into: &effects)
    }

    /// The machine of a group that is being held: as storage knows it, or new.
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

    /// The members of a group as its machine is to know them; `usable` has the last exact position of those whose last
    /// one is not.
    private func machineMembers(
        of group: GroupState,
        usable: [UserID: StoredPosition] = [:]
    ) -> [GatheringMachine.Member] {
        group.members.map { member in
            let sharing = member.sharing
            var shown = self.users.value(of: member.user)?.shown
            if shown?.fix.accuracy ?? 0 > FixGate.accuracyLimit {
                shown = usable[member.user].flatMap(ShownPosition.init(stored:))
                shown?.turnBack(to: self.now)
            }
            let position = shown.flatMap { sharing.mode == .live && sharing.shows($0) ? $0.stored : nil }
            return GatheringMachine.Member(
                user: member.user,
                isSharingLive: sharing.mode == .live,
                position: position
            )
        }
    }

    /// Lets a machine go on at an earlier time.
    mutating func turnBackMachine(of slot: Int) {
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

    /// Continues a machine that began without its stored state, when that arrives.
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

    /// Those near a person who do not count as together with them, and why, in each of their groups.
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

    private mutating func carryOut(
        _ events: [GatheringEvent],
        in slot: Int,
        participants before: [UserID],
        into effects: inout [WorldEffect]
    ) {
        if let trace = self.groups[slot].machine.trace {
            self.reasons += trace.map { (self.groups.keys[slot], $0) }
            self.groups[slot].machine.trace = nil
        }
        var isStored = false
        var isStateNews = false
        for event in events {
            switch event {
            case .began(let status, let at), .changed(let status, let at), .ended(let status, let at):
                self.say(event, in: slot, into: &effects)
                self.tell(status, decidedAt: at, in: slot, participants: before, into: &effects)
                isStored = true
            case .alert(let alert):
                self.raise(alert, in: slot, into: &effects)
            case .stateChanged:
                isStateNews = true
            }
        }
        guard isStateNews, !isStored else { return }
        let record = JournalRecord.machine(self.groups.keys[slot], self.groups[slot].machine.stored)
        self.groups[slot].lastRecord = self.write(record, into: &effects)
    }

    /// Has the room say that a gathering began, moved for the first time, or ended.
    private func say(_ event: GatheringEvent, in slot: Int, into effects: inout [WorldEffect]) {
        let group = self.groups.keys[slot]
        switch event {
        case .began(let status, _): self.say("began", of: status, in: group, into: &effects)
        case .changed(let status, _):
            guard status.state == .moved, self.groups[slot].roster.gathering?.state != .moved else { return }
            self.say("moved", of: status, in: group, into: &effects)
        case .ended(let status, _): self.say("ended", of: status, in: group, into: &effects)
        case .alert, .stateChanged: break
        }
    }

    private mutating func tell(
        _ status: GatheringStatus,
        decidedAt instant: Timestamp,
        in slot: Int,
        participants before: [UserID],
        into effects: inout [WorldEffect]
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
        self.groups[slot].lastRecord = self.write(.gathering(record), into: &effects)
    }

    private mutating func raise(_ alert: GatheringAlert, in slot: Int, into effects: inout [WorldEffect]) {
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
        self.groups[slot].lastRecord = self.store(notification.content, for: alert.user, into: &effects)
    }
}
