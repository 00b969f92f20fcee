extension GatheringMachine {
    /// The state of a departure, as a trace reports it.
    struct DepartureStatus {
        let entry: DepartureDetector.Entry
        let obstacle: DepartureObstacle?
    }

    /// The states of all departures, by slot.
    var departureStatuses: [Int: DepartureStatus] {
        guard case .gathered(let gathering) = self.phase else { return [:] }
        var statuses: [Int: DepartureStatus] = [:]
        for entry in gathering.departures.entries {
            let obstacle = gathering.departures.obstacle(
                to: entry,
                usable: self.usable,
                position: { self.position(of: $0) },
                settings: self.settings,
                at: self.instant
            )
            statuses[entry.slot] = DepartureStatus(entry: entry, obstacle: obstacle)
        }
        return statuses
    }

    /// The changes of departures since `before`.
    func departureSteps(since before: [Int: DepartureStatus]) -> [GatheringReason] {
        let now = self.departureStatuses
        return Set(before.keys).union(now.keys).sorted().flatMap { slot -> [GatheringReason] in
            guard let user = self.roster.user(of: slot) else { return [] }
            return self.steps(from: before[slot], to: now[slot]).map { .departure(user, $0) }
        }
    }

    private func steps(from before: DepartureStatus?, to now: DepartureStatus?) -> [DepartureStep] {
        guard let now else {
            guard let before else { return [] }
            if case .gathered = self.phase { return [.forgotten] }
            if case .undecided = before.entry.state { return [.gaveUp] }
            return []
        }
        var steps: [DepartureStep] = before == nil ? [.cameApart(from: now.entry.place)] : []
        switch (before?.entry.state, now.entry.state) {
        case (_, .undecided):
            if let obstacle = now.obstacle, !Self.isSame(obstacle, before?.obstacle) { steps.append(.waits(obstacle)) }
        case (.leftByChoice, .leftByChoice), (.notified, .notified), (.inPassing, .inPassing): break
        case (_, .leftByChoice): steps.append(.leftByChoice)
        case (_, .inPassing): steps.append(.metInPassing)
        case (_, .notified): steps.append(.leftBehind)
        }
        return steps
    }

    /// Whether two obstacles are the same in a trace: a slightly larger distance is not reported.
    private static func isSame(_ one: DepartureObstacle, _ other: DepartureObstacle?) -> Bool {
        if case .strayed = one, case .strayed = other { true } else { one == other }
    }
}
