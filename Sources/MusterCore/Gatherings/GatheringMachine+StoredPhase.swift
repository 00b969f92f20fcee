extension GatheringMachine {
    /// The stored form of a gathering.
    func state(of gathering: Gathering) -> GatheringState.Gathered {
        let status = gathering.status
        var elsewhere: GatheringState.Stay?
        if case .elsewhere(let near, let since) = gathering.movement {
            elsewhere = GatheringState.Stay(place: GatheringState.Place(near), since: StoredMoment(since))
        }
        return GatheringState.Gathered(
            id: status.gathering,
            hasMoved: status.state == .moved,
            since: StoredMoment(status.since),
            begin: StoredMoment(gathering.begin),
            place: GatheringState.Place(lat: status.place.lat, lon: status.place.lon),
            placeName: status.place.name,
            toldTogether: status.together,
            toldAbsent: status.absent,
            together: self.users(gathering.together),
            participants: gathering.participants.sorted(),
            told: gathering.notified.sorted(),
            absent: self.users(gathering.absence.absent),
            absentSince: gathering.absence.since.map(StoredMoment.init),
            isAbsenceSpoken: gathering.absence.isSpoken,
            absenceGapSince: gathering.absence.gapSince.map(StoredMoment.init),
            belowSince: gathering.belowSince.map(StoredMoment.init),
            bond: self.users(gathering.departures.bond),
            departures: gathering.departures.entries.compactMap { self.state(of: $0) },
            elsewhere: elsewhere
        )
    }

    private func state(of entry: DepartureDetector.Entry) -> GatheringState.Departure? {
        guard let user = self.roster.user(of: entry.slot) else { return nil }
        var stored = GatheringState.Departure(
            user: user,
            place: GatheringState.Place(entry.place),
            companions: self.users(entry.companions),
            state: .undecided,
            isRipe: false,
            fixesBeyond: 0,
            rest: []
        )
        switch entry.state {
        case .undecided(let undecided):
            stored.since = undecided.awaySince.map(StoredMoment.init)
            stored.isRipe = undecided.isRipe
            stored.fixesBeyond = undecided.fixesBeyond
            stored.seen = undecided.seen.map(StoredMoment.init)
            stored.heard = undecided.lastFix.map(StoredMoment.init)
            stored.rest = self.users(undecided.rest)
        case .inPassing: stored.state = .inPassing
        case .leftByChoice: stored.state = .leftByChoice
        case .notified: stored.state = .told
        }
        return stored
    }

    /// Restores a gathering.
    func gathering(from stored: GatheringState.Gathered) throws(StateDamage) -> Gathering {
        let place = try stored.place.coordinate()
        var entries: [DepartureDetector.Entry] = []
        for departure in stored.departures {
            let entry = try self.entry(from: departure)
            guard !entries.contains(where: { $0.slot == entry.slot }) else { throw StateDamage() }
            entries.append(entry)
        }
        let elsewhere = try stored.elsewhere.map { stay throws(StateDamage) in
            MoveDetector.elsewhere(near: try stay.place.coordinate(), since: stay.since.moment)
        }
        return Gathering(
            status: GatheringStatus(
                gathering: stored.id,
                state: stored.hasMoved ? .moved : .together,
                since: stored.since.moment,
                place: GatheringPlace(lat: place.latitude, lon: place.longitude, name: stored.placeName),
                together: stored.toldTogether,
                absent: stored.toldAbsent
            ),
            begin: stored.begin.moment,
            together: self.set(of: stored.together),
            participants: Set(stored.participants),
            notified: Set(stored.told),
            absence: AbsenceDetector(
                absent: self.set(of: stored.absent),
                since: stored.absentSince?.moment,
                isSpoken: stored.isAbsenceSpoken,
                gapSince: stored.absenceGapSince?.moment
            ),
            departures: DepartureDetector(bond: self.set(of: stored.bond), entries: entries),
            movement: elsewhere ?? .resting,
            belowSince: stored.belowSince?.moment
        )
    }

    private func entry(from stored: GatheringState.Departure) throws(StateDamage) -> DepartureDetector.Entry {
        let state: DepartureDetector.State
        switch stored.state {
        case .undecided:
            state = .undecided(
                DepartureDetector.Undecided(
                    awaySince: stored.since?.moment,
                    isRipe: stored.isRipe,
                    fixesBeyond: min(stored.fixesBeyond, 2),
                    seen: stored.seen?.moment,
                    lastFix: stored.heard?.moment,
                    rest: self.set(of: stored.rest)
                )
            )
        case .inPassing: state = .inPassing
        case .leftByChoice: state = .leftByChoice
        // A member who returned is removed by the next `observe`.
        case .told, .returned: state = .notified
        }
        return DepartureDetector.Entry(
            slot: try self.storedSlot(of: stored.user),
            place: try stored.place.coordinate(),
            companions: self.set(of: stored.companions),
            state: state
        )
    }
}
