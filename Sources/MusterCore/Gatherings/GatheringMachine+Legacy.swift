// Versions 1 to 3 of the state were bytes: version, instant, members, rows of links, closing and opening pairs,
// partings, phase, absent members and doubts, cooldowns.
//
// - Version 2 has no doubts, and does not say which member of an opening pair left.
// - Version 1 also has no partings. Its members have no interval and no rest, its closing pairs do not say whether they
//   are settled, and its gatherings have neither departures nor movement.
// - No version has stays: a stay begins with the rest.
//
// Integers are zigzag LEB128 (7 bits a byte, lowest first; see Protocol Buffers, "Encoding"). Doubles are their IEEE
// 754 bits in eight bytes, lowest first. A list is its count and its elements; an optional is a byte 0 or 1 and its
// value. Members come in the order of their slots, and later parts name them by their index in that order. A row of
// links has one bit per member, lowest first.

extension GatheringMachine {
    /// Restores a state of versions 1 to 3.
    mutating func restore(legacy bytes: [UInt8]) throws(StateDamage) {
        var reader = StateReader(bytes)
        let version = try reader.byte()
        guard 1...3 ~= version else { throw StateDamage() }
        self.instant = min(try reader.moment(), self.instant)
        let count = try reader.list { reader throws(StateDamage) in
            try self.restoreMember(from: &reader, version: version)
        }.count
        guard count <= MemberSet.capacity, Set(self.roster.users).count == count else { throw StateDamage() }
        try self.restoreLinks(of: count, from: &reader, version: version)
        self.phase = try self.readPhase(from: &reader, version: version)
        if version >= 3, try reader.flag() {
            let members = self.set(of: try reader.users())
            let doubts = try reader.list { reader throws(StateDamage) in
                guard let slot = self.roster.slot(of: try reader.identifier()) else { throw StateDamage() }
                return AbsentMembers.Doubt(slot: slot, since: try reader.moment())
            }
            guard Set(doubts.map(\.slot)).count == doubts.count else { throw StateDamage() }
            self.absentees = AbsentMembers(members: members, doubts: doubts)
        }
        let cooldowns = try reader.list { reader throws(StateDamage) in
            AlertCooldown.Entry(
                user: try reader.identifier(),
                variant: try reader.flag() ? .departed : .gathered,
                at: try reader.moment()
            )
        }
        self.cooldown = AlertCooldown(entries: cooldowns)
        guard reader.isAtEnd else { throw StateDamage() }
    }

    /// Restores a member into the next slot.
    private mutating func restoreMember(from reader: inout StateReader, version: UInt8) throws(StateDamage) {
        guard let slot = self.roster.add(try reader.identifier()) else { throw StateDamage() }
        self.setSharing(try reader.flag(), of: slot)
        let usableUntil = try reader.optional { reader throws(StateDamage) in try reader.moment() }
        let position = try reader.optional { reader throws(StateDamage) in
            MemberPosition(
                at: try reader.moment(),
                coordinate: try reader.coordinate(),
                accuracy: try reader.double(),
                isStationary: try reader.flag(),
                speed: try reader.double(),
                interval: version >= 2 ? try reader.moment().milliseconds : 0,
                rest: version >= 2 ? (try reader.coordinate(), try reader.moment()) : nil,
                usableUntil: usableUntil
            )
        }
        if try reader.flag() { self.usable.insert(slot) }
        if try reader.flag() { self.frozen.insert(slot) }
        if try reader.flag() { self.counted.insert(slot) }
        let linkedSince = try reader.optional { reader throws(StateDamage) in try reader.moment() }
        self.graph.grow(to: slot + 1)
        // These versions have no stays: the stay begins with the rest.
        if let position {
            self.graph.stays[slot] = MemberStay(
                current: MemberStay.Stay(place: position.restPlace, since: position.restSince),
                past: nil,
                isBeyond: false,
                isProven: position.at - position.restSince >= MemberStay.moment
            )
        }
        if self.usable.contains(slot) || self.frozen.contains(slot) {
            guard let position else { throw StateDamage() }
            self.graph.restore(slot, at: position, linkedSince: linkedSince)
        } else {
            self.separate[slot] = position
        }
    }

    /// Restores links, pairs that are closing or opening, and meetings, for `count` members.
    private mutating func restoreLinks(
        of count: Int,
        from reader: inout StateReader,
        version: UInt8
    ) throws(StateDamage) {
        for slot in 0..<count {
            for start in stride(from: 0, to: count, by: 8) {
                let byte = try reader.byte()
                for other in start..<min(start + 8, count) where byte >> UInt8(other - start) & 1 == 1 {
                    try self.restoreLink(slot, other, .linked)
                }
            }
        }
        _ = try reader.list { reader throws(StateDamage) in
            let (lower, higher) = (try reader.place(of: count), try reader.place(of: count))
            try self.restoreLink(lower, higher, try reader.linkState(version: version))
        }
        if version >= 2 {
            _ = try reader.list { reader throws(StateDamage) in
                let (lower, higher) = (try reader.place(of: count), try reader.place(of: count))
                let (one, two) = (try reader.coordinate(), try reader.coordinate())
                guard lower < higher else { throw StateDamage() }
                let pair = MemberPair(lower, higher)
                let stays = [one, two].map {
                    self.graph.stayed(pair, about: $0, at: self.instant, settings: self.settings)
                }
                self.graph.restore(
                    pair,
                    PairMeeting(
                        lower: one,
                        higher: two,
                        at: self.instant,
                        stayed: (stays[0], stays[1])
                    )
                )
            }
        }
    }

    mutating func restoreLink(_ one: Int, _ other: Int, _ state: LinkState) throws(StateDamage) {
        guard one != other, self.graph.placed.contains(one), self.graph.placed.contains(other) else {
            throw StateDamage()
        }
        self.graph.restore(MemberPair(one, other), state, at: self.instant)
    }

    // MARK: The phase

    private func readPhase(from reader: inout StateReader, version: UInt8) throws(StateDamage) -> GatheringPhase {
        switch try reader.byte() {
        case 0: return .scattered
        case 1: return .candidate(since: try reader.moment())
        case 2: break
        default: throw StateDamage()
        }
        let status = try reader.status()
        let begin = try reader.moment()
        let participants = Set(try reader.users())
        let notified = Set(try reader.users())
        let together = self.set(of: try reader.users())
        let absence = AbsenceDetector(
            absent: self.set(of: try reader.users()),
            since: try reader.optional { reader throws(StateDamage) in try reader.moment() },
            isSpoken: try reader.flag()
        )
        let belowSince = try reader.optional { reader throws(StateDamage) in try reader.moment() }
        var departures = DepartureDetector(bond: together)
        var movement = MoveDetector.resting
        if version >= 2 {
            let bond = self.set(of: try reader.users())
            let entries = try reader.list { reader throws(StateDamage) in try self.readDeparture(from: &reader) }
            guard Set(entries.map(\.slot)).count == entries.count else { throw StateDamage() }
            departures = DepartureDetector(bond: bond, entries: entries)
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
                notified: notified,
                absence: absence,
                departures: departures,
                movement: movement,
                belowSince: belowSince
            )
        )
    }

    private func readDeparture(from reader: inout StateReader) throws(StateDamage) -> DepartureDetector.Entry {
        guard let slot = self.roster.slot(of: try reader.identifier()) else { throw StateDamage() }
        let place = try reader.coordinate()
        let companions = self.set(of: try reader.users())
        let state: DepartureDetector.State
        switch try reader.byte() {
        case 0:
            state = .undecided(
                DepartureDetector.Undecided(
                    awaySince: try reader.optional { reader throws(StateDamage) in try reader.moment() },
                    isRipe: try reader.flag(),
                    fixesBeyond: min(try reader.byte(), 2),
                    seen: try reader.optional { reader throws(StateDamage) in try reader.moment() },
                    rest: self.set(of: try reader.users())
                )
            )
        case 1: state = .leftByChoice
        case 2: state = .notified
        // A member who returned is removed by the next `observe`.
        case 3:
            _ = try reader.moment()
            state = .notified
        default: throw StateDamage()
        }
        return DepartureDetector.Entry(slot: slot, place: place, companions: companions, state: state)
    }
}
