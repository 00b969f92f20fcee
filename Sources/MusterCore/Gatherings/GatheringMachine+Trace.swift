// The machine does not record reasons while it decides. A trace compares the state before and after each step, so an
// untraced machine pays for one comparison with nil per step. Only facts that leave no state behind are recorded where
// they occur: which members were alerted, and why others were not.

extension GatheringMachine {
    /// The state before a step, for comparison with the state after it.
    struct TraceMark {
        fileprivate let count: Int
        fileprivate let sharing: MemberSet
        fileprivate let usable: MemberSet
        fileprivate let linked: MemberSetRows
        fileprivate let phase: GatheringPhase
        fileprivate let absent: MemberSet
        fileprivate let departures: [Int: DepartureStatus]
    }

    /// The current state for a later comparison; nil if tracing is off.
    var traceMark: TraceMark? {
        guard let trace = self.trace else { return nil }
        return TraceMark(
            count: trace.count,
            sharing: self.sharing,
            usable: self.usable,
            linked: self.graph.linked,
            phase: self.phase,
            absent: Self.absent(in: self.phase),
            departures: self.departureStatuses
        )
    }

    /// Records a reason and its clause, if tracing is on.
    mutating func note(_ reason: @autoclosure () -> GatheringReason, _ ground: @autoclosure () -> GatheringGround) {
        guard self.trace != nil else { return }
        self.trace?.append(GatheringTraceEntry(at: self.instant, reason: reason(), ground: ground()))
    }

    /// Records the changes since `mark`, in front of the entries recorded during the step.
    mutating func noteChanges(since mark: TraceMark?) {
        guard let mark else { return }
        var reasons: [GatheringReason] = []
        let withdrawn = mark.sharing - self.sharing
        reasons += self.users(withdrawn).map(GatheringReason.withdrew)
        reasons += self.users(self.sharing - mark.sharing).map(GatheringReason.tookUp)
        reasons += self.users(self.usable - mark.usable).map(GatheringReason.becameUsable)
        reasons += self.users(mark.usable - self.usable - withdrawn).map(GatheringReason.becameUnknown)
        for slot in 0..<self.roster.count {
            let before = slot < mark.linked.count ? mark.linked[slot] : MemberSet()
            let now = self.graph.linked[slot]
            guard now != before, let user = self.roster.user(of: slot) else { continue }
            for other in self.users(now - before) where user < other { reasons.append(.linkClosed(user, other)) }
            for other in self.users(before - now) where user < other { reasons.append(.linkOpened(user, other)) }
        }
        reasons += self.departureSteps(since: mark.departures)
        if let step = Self.step(from: mark.phase, to: self.phase) { reasons.append(step) }
        let absent = Self.absent(in: self.phase)
        for user in self.users(absent - mark.absent) {
            reasons.append(.becameAbsent(user, missing: absent.count))
        }
        reasons += self.users(mark.absent - absent).map(GatheringReason.ceasedToBeAbsent)
        reasons += self.missing(absent, after: mark.absent)
        let entries = reasons.map {
            GatheringTraceEntry(
                at: self.instant,
                reason: $0,
                measure: self.measure(of: $0),
                ground: self.ground(of: $0, after: mark.phase)
            )
        }
        self.trace?.insert(contentsOf: entries, at: mark.count)
    }

    /// The reasons that follow from a change of the absent members, if more than the limit are or were absent.
    private func missing(_ absent: MemberSet, after before: MemberSet) -> [GatheringReason] {
        let limit = max(1, self.settings.maxAbsent)
        guard absent != before, max(absent.count, before.count) > limit else { return [] }
        return self.users(absent).map { user in
            absent.count > limit
                ? .manyMissing(user, missing: absent.count, limit: limit)
                : .fewMissing(user, missing: absent.count, limit: limit)
        }
    }

    private static func absent(in phase: GatheringPhase) -> MemberSet {
        if case .gathered(let gathering) = phase { gathering.absence.absent } else { MemberSet() }
    }

    private static func step(from before: GatheringPhase, to now: GatheringPhase) -> GatheringReason? {
        switch (before, now) {
        case (.scattered, .scattered), (.candidate, .candidate): nil
        case (.scattered, .candidate): .dwellStarted
        case (.candidate, .scattered): .dwellBroken
        case (.scattered, .gathered), (.candidate, .gathered): .began
        case (.gathered, .scattered), (.gathered, .candidate): .ended
        case (.gathered(let old), .gathered(let new)):
            switch (old.belowSince, new.belowSince) {
            case (nil, .some): .fellBelow
            case (.some, nil): .recovered
            case (nil, nil), (.some, .some): nil
            }
        }
    }
}
