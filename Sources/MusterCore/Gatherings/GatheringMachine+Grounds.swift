extension GatheringMachine {
    /// The clause that decided a step, with the value that was compared with its limit; `before` is the phase before
    /// the step.
    func ground(of reason: GatheringReason, after before: GatheringPhase) -> GatheringGround {
        switch reason {
        case .becameUsable(let user), .becameUnknown(let user): self.usability(of: user)
        case .withdrew, .tookUp: GatheringGround(.usable)
        case .linkClosed(let one, let other): self.distance(one, other) { _, _ in 0 } ?? GatheringGround(.closing)
        case .linkOpened(let one, let other): self.excess(one, other, .opening) ?? GatheringGround(.usable)
        case .dwellStarted, .dwellBroken, .fellBelow, .recovered: self.share
        case .began: self.beginning
        case .ended: self.ending(of: before)
        case .becameAbsent(let user, _), .ceasedToBeAbsent(let user): self.absence(of: user)
        case .manyMissing(_, let missing, let limit), .fewMissing(_, let missing, let limit):
            GatheringGround(.maxAbsent, Double(missing), of: Double(limit), .members)
        case .tookPart, .alreadyNotified: GatheringGround(.once)
        case .cooledDown: GatheringGround(.cooldown)
        case .alerted(_, .gathered): GatheringGround(.gathered)
        case .alerted(_, .departed): GatheringGround(.departed)
        case .departure(let user, let step): self.ground(of: step, of: user)
        }
    }

    private func usability(of user: UserID) -> GatheringGround {
        guard let position = self.known(user) else { return GatheringGround(.usable) }
        return GatheringGround(
            .usable,
            milliseconds: self.instant - position.at,
            of: Freshness.usableAge(isStationary: position.isStationary)
        )
    }

    private var share: GatheringGround {
        GatheringGround(.candidate, Double(self.cluster.count), of: Double(self.counted.count) / 2, .members)
    }

    private var beginning: GatheringGround {
        guard case .gathered(let gathering) = self.phase else { return GatheringGround(.beginning) }
        return GatheringGround(
            .beginning,
            milliseconds: gathering.begin - gathering.status.since,
            of: self.settings.dwellMilliseconds
        )
    }

    private func ending(of phase: GatheringPhase) -> GatheringGround {
        guard case .gathered(let gathering) = phase else { return GatheringGround(.ending) }
        let last = gathering.together.compactMap { self.position(of: $0)?.usableUntil }.max()
        if let last, self.instant - last >= Gathering.silence {
            return GatheringGround(.ending, milliseconds: self.instant - last, of: Gathering.silence)
        }
        let since = gathering.belowSince ?? self.instant
        let below = self.instant - since
        let limit = below < Gathering.departureTimeout ? Gathering.timeout : Gathering.departureTimeout
        return GatheringGround(.ending, milliseconds: below, of: limit)
    }

    // MARK: Distances

    private func distance(
        _ one: UserID,
        _ other: UserID,
        _ clause: GatheringClause = .closing,
        less credit: (_ mine: MemberPosition, _ theirs: MemberPosition) -> Double
    ) -> GatheringGround? {
        guard let mine = self.known(one), let theirs = self.known(other) else { return nil }
        let distance = mine.point.distance(to: theirs.point) - credit(mine, theirs)
        let radius = mine.radius(with: theirs, in: self.settings.radius)
        return GatheringGround(clause, max(0, distance), of: clause == .opening ? 1.5 * radius : radius, .metres)
    }

    /// The distance minus the accuracy credit and, for an opening, the movement credit.
    private func excess(_ one: UserID, _ other: UserID, _ clause: GatheringClause) -> GatheringGround? {
        self.distance(one, other, clause) { mine, theirs in
            let credit = mine.credit(with: theirs, radius: mine.radius(with: theirs, in: self.settings.radius))
            return clause == .opening ? credit + mine.drift(from: theirs, at: self.instant) : credit
        }
    }

    /// The distance from a member to the nearest of C, and the limit beyond which the member is absent.
    private func absence(of user: UserID) -> GatheringGround {
        let others = self.users(self.cluster).filter { $0 != user }.compactMap { self.excess(user, $0, .absent) }
        return others.min { ($0.value ?? 0) - ($0.limit ?? 0) < ($1.value ?? 0) - ($1.limit ?? 0) }
            ?? GatheringGround(.absent)
    }

    // MARK: Distances

    private func ground(of step: DepartureStep, of user: UserID) -> GatheringGround {
        guard let slot = self.roster.slot(of: user), case .gathered(let gathering) = self.phase,
            let entry = gathering.departures.entries.first(where: { $0.slot == slot })
        else { return GatheringGround(step == .gaveUp ? .ending : .parting) }
        switch step {
        case .cameApart, .forgotten: return GatheringGround(.parting)
        case .gaveUp: return GatheringGround(.ending)
        case .metInPassing:
            let long = Double(self.settings.stayMilliseconds) / 1000
            return GatheringGround(.stays, Double(entry.stayed), of: long, .seconds)
        case .leftByChoice: return self.stray(of: entry, .choice)
        case .leftBehind: return self.stay(of: entry)
        case .waits(let obstacle): return self.ground(of: obstacle, to: entry)
        }
    }

    private func ground(of obstacle: DepartureObstacle, to entry: DepartureDetector.Entry) -> GatheringGround {
        guard case .undecided(let undecided) = entry.state else { return GatheringGround(.departed) }
        switch obstacle {
        case .restIsScattered: return GatheringGround(.departed, Double(undecided.rest.count), of: 2, .members)
        case .restIsNear(let limit):
            let nearest = undecided.rest.compactMap { self.position(of: $0)?.coordinate.distance(to: entry.place) }
                .min()
            return GatheringGround(.departed, nearest ?? 0, of: limit, .metres)
        case .restLeftLately:
            let away = self.instant - (undecided.awaySince ?? self.instant)
            return GatheringGround(.departed, milliseconds: away, of: DepartureDetector.timeout)
        case .strayed: return self.stray(of: entry, .choice)
        case .wandered(let distance):
            let radius = self.position(of: entry.slot).map { $0.radius(with: $0, in: self.settings.radius) }
            return GatheringGround(.departed, distance, of: radius ?? self.settings.radius, .metres)
        case .restIsSilent:
            let recent = undecided.rest.filter { slot in
                self.position(of: slot).map { self.instant - $0.at <= Freshness.recentAge } ?? false
            }
            return GatheringGround(.departed, Double(recent.count), of: 2, .members)
        case .silent:
            let silent = self.instant - (undecided.awaySince ?? self.instant)
            return GatheringGround(.departed, milliseconds: silent, of: DepartureDetector.muteness)
        case .manyLeft(let count):
            return GatheringGround(.maxAbsent, Double(count), of: Double(max(1, self.settings.maxAbsent)), .members)
        }
    }

    /// How far one who was left behind is from where they were left: within R, or beyond it and after the rest.
    private func stay(of entry: DepartureDetector.Entry) -> GatheringGround {
        guard let own = self.position(of: entry.slot) else { return GatheringGround(.departed) }
        let distance = own.coordinate.distance(to: entry.place)
        let radius = own.radius(with: own, in: self.settings.radius)
        let limit = distance <= radius ? radius : self.settings.strayDistance
        return GatheringGround(.departed, distance, of: limit, .metres)
    }

    /// The distance of a member from where they came apart, and the limit beyond which it counts as a choice.
    private func stray(of entry: DepartureDetector.Entry, _ clause: GatheringClause) -> GatheringGround {
        let distance = self.position(of: entry.slot).map { $0.coordinate.distance(to: entry.place) }
        return GatheringGround(clause, distance ?? 0, of: self.settings.strayDistance, .metres)
    }
}
