extension GatheringMachine {
    /// Writes a phase.
    func write(phase: GatheringPhase, to writer: inout StateWriter) {
        switch phase {
        case .scattered:
            writer.write(UInt8(0))
        case .candidate(let since):
            writer.write(UInt8(1))
            writer.write(since)
        case .gathered(let gathering):
            writer.write(UInt8(2))
            writer.write(gathering.status)
            writer.write(gathering.begin)
            writer.write(list: gathering.participants.sorted()) { $0.write($1) }
            writer.write(list: gathering.told.sorted()) { $0.write($1) }
            writer.write(list: self.users(gathering.together)) { $0.write($1) }
            writer.write(list: self.users(gathering.absence.absent)) { $0.write($1) }
            writer.write(gathering.absence.since) { $0.write($1) }
            writer.write(gathering.absence.isSpoken)
            writer.write(gathering.belowSince) { $0.write($1) }
            writer.write(list: self.users(gathering.departures.bond)) { $0.write($1) }
            writer.write(list: gathering.departures.entries) { self.write($1, to: &$0) }
            switch gathering.movement {
            case .resting:
                writer.write(false)
            case .elsewhere(let near, let since):
                writer.write(true)
                writer.write(near)
                writer.write(since)
            }
        }
    }

    private func write(_ entry: DepartureWatch.Entry, to writer: inout StateWriter) {
        writer.write(self.roster.user(of: entry.slot) ?? UserID(0))
        writer.write(entry.place)
        writer.write(list: self.users(entry.companions)) { $0.write($1) }
        switch entry.state {
        case .undecided(let undecided):
            writer.write(UInt8(0))
            writer.write(undecided.awaySince) { $0.write($1) }
            writer.write(undecided.isRipe)
            writer.write(undecided.fixesBeyond)
            writer.write(undecided.seen) { $0.write($1) }
            writer.write(list: self.users(undecided.rest)) { $0.write($1) }
        case .leftByChoice:
            writer.write(UInt8(1))
        case .told:
            writer.write(UInt8(2))
        case .returned(let since):
            writer.write(UInt8(3))
            writer.write(since)
        }
    }

    /// Reads a phase.
    func readPhase(from reader: inout StateReader, version: UInt8) throws(StateDamage) -> GatheringPhase {
        switch try reader.byte() {
        case 0: return .scattered
        case 1: return .candidate(since: try reader.moment())
        case 2: break
        default: throw StateDamage()
        }
        let status = try reader.status()
        let begin = try reader.moment()
        let participants = Set(try reader.users())
        let told = Set(try reader.users())
        let together = self.set(of: try reader.users())
        let absence = AbsenceWatch(
            absent: self.set(of: try reader.users()),
            since: try reader.optional { reader throws(StateDamage) in try reader.moment() },
            isSpoken: try reader.flag()
        )
        let belowSince = try reader.optional { reader throws(StateDamage) in try reader.moment() }
        var departures = DepartureWatch(bond: together)
        var movement = PlaceWatch.resting
        if version >= 2 {
            let bond = self.set(of: try reader.users())
            let entries = try reader.list { reader throws(StateDamage) in try self.readDeparture(from: &reader) }
            guard Set(entries.map(\.slot)).count == entries.count else { throw StateDamage() }
            departures = DepartureWatch(bond: bond, entries: entries)
            if try reader.flag() {
                movement = .elsewhere(near: try reader.coordinate(), since: try reader.moment())
            }
        }
        return .gathered(
            Gathering(
                status: status,
                begin: begin,
                together: together,
                participants: participants,
                told: told,
                absence: absence,
                departures: departures,
                movement: movement,
                belowSince: belowSince
            )
        )
    }

    private func readDeparture(from reader: inout StateReader) throws(StateDamage) -> DepartureWatch.Entry {
        guard let slot = self.roster.slot(of: try reader.identifier()) else { throw StateDamage() }
        let place = try reader.coordinate()
        let companions = self.set(of: try reader.users())
        let state: DepartureWatch.State
        switch try reader.byte() {
        case 0:
            state = .undecided(
                DepartureWatch.Undecided(
                    awaySince: try reader.optional { reader throws(StateDamage) in try reader.moment() },
                    isRipe: try reader.flag(),
                    fixesBeyond: min(try reader.byte(), 2),
                    seen: try reader.optional { reader throws(StateDamage) in try reader.moment() },
                    rest: self.set(of: try reader.users())
                )
            )
        case 1: state = .leftByChoice
        case 2: state = .told
        case 3: state = .returned(since: try reader.moment())
        default: throw StateDamage()
        }
        return DepartureWatch.Entry(slot: slot, place: place, companions: companions, state: state)
    }

    func set(of users: [UserID]) -> MemberSet {
        var set = MemberSet()
        for slot in users.compactMap({ self.roster.slot(of: $0) }) { set.insert(slot) }
        return set
    }
}
