// One group never stops the others. Its machine gives up a call that takes too many instants, and a call that took too long is
// noticed by whoever lends the world a stopwatch. Either way nothing is decided about the group for a while: its members see
// each other as always, fixes are stored, and what hides somebody holds at once. Then it is tried again, with a growing pause.

extension World {
    /// Notes how a group's machine decided: deadlines that it put off, and whether the group is to be set aside.
    mutating func noteDecision(in slot: Int, taking nanoseconds: Int64, into effects: inout [WorldEffect]) {
        let group = self.groups.keys[slot]
        if let deadline = self.groups[slot].takeStalledDeadline() {
            self.report(.group(group), stalledAt: deadline, into: &effects)
        }
        let last = self.groups[slot].setAside
        var cause: GroupSetAside.Cause?
        if self.groups[slot].isMachineExhausted {
            cause = .exhausted
        } else if nanoseconds > self.configuration.slowDecision * 1_000_000 {
            cause = .slow
        }
        if let cause {
            let aside = GroupSetAside(cause, after: last, at: self.now)
            self.groups[slot].setAside = aside
            self.totals.setAsides += 1
            self.write(.setAside(group, aside), into: &effects)
            effects.append(.trouble(.setAside(group, aside)))
        } else if last != nil {
            self.groups[slot].setAside = nil
            self.write(.setAside(group, nil), into: &effects)
            effects.append(.trouble(.tookUp(group)))
        }
    }

    /// Sees to it that a subject which was looked at is not looked at for the same moment again.
    mutating func checkProgress(of subject: DeadlineQueue.Subject, into effects: inout [WorldEffect]) {
        guard let deadline = self.deadlines.deadline(of: subject) else { return }
        var progress = self.configuration.progress
        let next = progress.next(deadline, after: self.now)
        guard next != deadline else { return }
        self.deadlines.cancel(subject)
        self.deadlines.schedule(subject, at: next)
        self.report(subject, stalledAt: deadline, into: &effects)
    }

    /// Asks for a subject that is being looked at to come up again, which is later than now.
    mutating func schedule(
        _ subject: DeadlineQueue.Subject,
        later moment: Timestamp,
        into effects: inout [WorldEffect]
    ) {
        var progress = self.configuration.progress
        let next = progress.next(moment, after: self.now)
        self.deadlines.schedule(subject, at: next)
        if next != moment { self.report(subject, stalledAt: moment, into: &effects) }
    }

    private mutating func report(
        _ subject: DeadlineQueue.Subject,
        stalledAt deadline: Timestamp,
        into effects: inout [WorldEffect]
    ) {
        self.totals.stalledDeadlines += 1
        let trouble = WorldTrouble.stalled(subject: subject.kindName, number: subject.number, deadline: deadline)
        effects.append(.trouble(trouble))
    }
}
