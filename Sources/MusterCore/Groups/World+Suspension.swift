// One group must never block the others. Its machine aborts a call that needs too many instants, and a stopwatch
// detects a call that took too long. In either case the group's gathering evaluation is suspended: rosters work as
// usual, fixes are stored, and changes that hide a member still apply at once. The evaluation is retried with growing
// pauses.

extension World {
    /// Processes the outcome of a machine call: deadlines without progress, and whether to suspend the group.
    mutating func noteDecision(in slot: Int, taking nanoseconds: Int64) {
        let group = self.groups.keys[slot]
        if let deadline = self.groups[slot].takeStalledDeadline() {
            self.report(.group(group), stalledAt: deadline)
        }
        let last = self.groups[slot].suspension
        var cause: GroupSuspension.Cause?
        if self.groups[slot].isMachineExhausted {
            cause = .exhausted
        } else if nanoseconds > self.configuration.slowDecision * 1_000_000 {
            cause = .slow
        }
        if let cause {
            let aside = GroupSuspension(cause, after: last, at: self.now)
            self.groups[slot].suspension = aside
            self.totals.suspensions += 1
            self.write(.suspension(group, aside))
            self.effects.append(.trouble(.suspension(group, aside)))
        } else if last != nil {
            self.groups[slot].suspension = nil
            self.write(.suspension(group, nil))
            self.effects.append(.trouble(.tookUp(group)))
        }
    }

    /// Prevents a processed subject from being due again at the same moment.
    mutating func checkProgress(of subject: DeadlineQueue.Subject) {
        guard let deadline = self.deadlines.deadline(of: subject) else { return }
        var progress = self.configuration.progress
        let next = progress.next(deadline, after: self.now)
        guard next != deadline else { return }
        self.deadlines.cancel(subject)
        self.deadlines.schedule(subject, at: next)
        self.report(subject, stalledAt: deadline)
    }

    /// Schedules the next check of a subject that is being processed, always later than now.
    mutating func schedule(_ subject: DeadlineQueue.Subject, later moment: Timestamp) {
        var progress = self.configuration.progress
        let next = progress.next(moment, after: self.now)
        self.deadlines.schedule(subject, at: next)
        if next != moment { self.report(subject, stalledAt: moment) }
    }

    private mutating func report(_ subject: DeadlineQueue.Subject, stalledAt deadline: Timestamp) {
        self.totals.stalledDeadlines += 1
        let trouble = WorldFault.stalled(subject: subject.kindName, number: subject.number, deadline: deadline)
        self.effects.append(.trouble(trouble))
    }
}
