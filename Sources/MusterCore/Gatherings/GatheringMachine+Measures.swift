extension GatheringMachine {
    /// The measurement behind a reason; nil if nothing was measured.
    func measure(of reason: GatheringReason) -> GatheringMeasure? {
        switch reason {
        case .linkClosed(let one, let other), .linkOpened(let one, let other): self.measure(one, other)
        case .becameAbsent(let user, _), .ceasedToBeAbsent(let user):
            self.users(self.cluster).filter { $0 != user }.compactMap { self.measure(user, $0) }
                .min { $0.distance < $1.distance }
        case .departure(let user, let step): self.measure(user, step)
        case .becameUnknown(let user): self.known(user).map { GatheringMeasure(distance: 0, age: self.instant - $0.at) }
        case .becameUsable, .withdrew, .tookUp, .dwellStarted, .dwellBroken, .began, .fellBelow, .recovered, .ended,
            .manyMissing, .fewMissing, .tookPart, .alreadyNotified, .cooledDown, .alerted:
            nil
        }
    }

    /// The members near a member who are not linked with them, with the reasons.
    package func unlinked(near user: UserID) -> [UnlinkedPair] {
        guard let slot = self.roster.slot(of: user) else { return [] }
        return self.users(self.graph.near[slot] - self.graph.linked[slot]).compactMap { other in
            guard let theirs = self.roster.slot(of: other), let measure = self.measure(user, other) else { return nil }
            let pair = MemberPair(slot, theirs)
            let places = [self.graph.places[slot], self.graph.places[theirs]]
            let obstacle: LinkObstacle =
                if !self.graph.isWithin(pair) {
                    .band
                } else if places.allSatisfy(\.hasSettled) {
                    .settled
                } else {
                    .unproven
                }
            return UnlinkedPair(
                user: user,
                other: other,
                obstacle: obstacle,
                measure: measure,
                ground: GatheringGround(
                    .closing,
                    measure.distance,
                    of: places[0].radius(with: places[1], in: self.settings.radius),
                    .metres
                ),
                accuracies: places.map(\.accuracy)
            )
        }
    }

    func known(_ user: UserID) -> MemberPosition? {
        self.roster.slot(of: user).flatMap { self.position(of: $0) }
    }

    private func measure(_ one: UserID, _ other: UserID) -> GatheringMeasure? {
        guard let mine = self.known(one), let theirs = self.known(other) else { return nil }
        return GatheringMeasure(
            distance: mine.point.distance(to: theirs.point),
            age: self.instant - mine.at,
            otherAge: self.instant - theirs.at
        )
    }

    private func measure(_ user: UserID, _ step: DepartureStep) -> GatheringMeasure? {
        guard let slot = self.roster.slot(of: user), let mine = self.position(of: slot),
            case .gathered(let gathering) = self.phase,
            let entry = gathering.departures.entries.first(where: { $0.slot == slot })
        else { return nil }
        return GatheringMeasure(distance: mine.coordinate.distance(to: entry.place), age: self.instant - mine.at)
    }
}
