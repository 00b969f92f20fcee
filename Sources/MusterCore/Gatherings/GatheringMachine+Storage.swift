// Layout, version 2: version byte, instant, members, rows of links, closing and opening pairs, partings, phase, cooldowns.
// Version 1, which is still read, has no partings, and of a member neither the interval nor the rest, of a closing pair not
// whether it is settled, of a gathering neither departures nor movement.
//
// Members are written in the order of their slots, and named by their place in that order from then on. A row of links has a
// bit for each member, lowest first. Nearness and C follow from the rest. What waits in the queue is not stored: it is in
// the members' positions, which come back through `adopt`.

extension GatheringMachine {
    private static let version: UInt8 = 2

    /// The state to store; nil when there is nothing worth keeping.
    package var stored: StoredGathering? {
        let hasLinks = self.members.indices.contains { !self.graph.linked[$0].isEmpty }
        guard self.phase != .scattered || hasLinks || !self.cooldown.entries.isEmpty else { return nil }
        let slots = self.members.indices.filter { self.members[$0] != nil }
        var writer = StateWriter()
        writer.write(Self.version)
        writer.write(self.instant)
        writer.write(list: slots) { self.write(member: $1, to: &$0) }
        for slot in slots {
            for start in stride(from: 0, to: slots.count, by: 8) {
                let others = slots[start..<min(start + 8, slots.count)]
                var byte: UInt8 = 0
                for (bit, other) in others.enumerated() where self.graph.linked[slot].contains(other) {
                    byte |= 1 << bit
                }
                writer.write(byte)
            }
        }
        let places = Dictionary(uniqueKeysWithValues: zip(slots, 0...))
        writer.write(list: self.graph.storedTransitions) { writer, transition in
            writer.write(Int64(places[Int(transition.pair.lower)] ?? 0))
            writer.write(Int64(places[Int(transition.pair.higher)] ?? 0))
            writer.write(transition.link)
        }
        writer.write(list: self.graph.storedPartings) { writer, parting in
            writer.write(Int64(places[Int(parting.pair.lower)] ?? 0))
            writer.write(Int64(places[Int(parting.pair.higher)] ?? 0))
            writer.write(parting.lower)
            writer.write(parting.higher)
        }
        self.write(phase: self.phase, to: &writer)
        writer.write(list: self.cooldown.entries) { writer, entry in
            writer.write(entry.user)
            writer.write(entry.variant == .departed)
            writer.write(entry.at)
        }
        return StoredGathering(state: writer.bytes)
    }

    /// Continues from a stored state; nil when the state is damaged or of an unknown version.
    ///
    /// Positions newer than the state count as known since the state was stored, because whoever reported all the while
    /// has not been unknown.
    package init?(restoring stored: StoredGathering, settings: GroupSettings, members: [Member], at now: Timestamp) {
        self.init(settings: settings, at: now)
        var reader = StateReader(stored.state)
        do throws(StateDamage) { try self.restore(from: &reader) } catch { return nil }

        let sharing = Dictionary(members.map { ($0.user, $0.isSharingLive) }) { first, _ in first }
        for user in self.slots.keys.sorted() where sharing[user] == nil { self.dismiss(user) }
        for member in members {
            guard let slot = self.slots[member.user] else {
                self.enrol(member)
                continue
            }
            if !member.isSharingLive { self.forget(slot) }
            self.members[slot]?.isSharingLive = member.isSharingLive
            if member.isSharingLive, let position = member.position { self.adopt(position, of: member.user) }
        }
        self.needsSettling = true
    }

    private mutating func restore(from reader: inout StateReader) throws(StateDamage) {
        let version = try reader.byte()
        guard 1...Self.version ~= version else { throw StateDamage() }
        self.instant = min(try reader.moment(), self.instant)
        let count = try reader.list { reader throws(StateDamage) in
            try self.restoreMember(from: &reader, version: version)
        }.count
        guard count <= MemberSet.capacity, self.slots.count == count else { throw StateDamage() }
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
                self.graph.restore(MemberPair(lower, higher), lower: one, higher: two)
            }
        }
        self.phase = try self.readPhase(from: &reader, version: version)
        let cooldowns = try reader.list { reader throws(StateDamage) in
            AlertCooldown.Entry(
                user: try reader.identifier(),
                variant: try reader.flag() ? .departed : .gathered,
                at: try reader.moment()
            )
        }
        self.cooldown = AlertCooldown(entries: cooldowns)
        guard reader.isAtEnd else { throw StateDamage() }
        self.graph.recompute(radius: self.settings.radius)
        self.followPhase()
        self.memberDeadline = self.instant
    }

    private mutating func restoreLink(_ one: Int, _ other: Int, _ state: LinkState) throws(StateDamage) {
        guard one != other, self.graph.placed.contains(one), self.graph.placed.contains(other) else {
            throw StateDamage()
        }
        self.graph.restore(MemberPair(one, other), state, at: self.instant)
    }

    // MARK: Members

    private func write(member slot: Int, to writer: inout StateWriter) {
        guard let member = self.members[slot] else { return }
        writer.write(member.user)
        writer.write(member.isSharingLive)
        writer.write(member.usableUntil) { $0.write($1) }
        writer.write(member.position) { writer, position in
            writer.write(position.at)
            writer.write(position.point.coordinate)
            writer.write(position.accuracy)
            writer.write(position.isStationary)
            writer.write(position.speed)
            writer.write(position.interval)
            writer.write(position.restPoint.coordinate)
            writer.write(position.restSince)
        }
        writer.write(self.usable.contains(slot))
        writer.write(self.frozen.contains(slot))
        writer.write(self.counted.contains(slot))
        writer.write(self.graph.linkedSince[slot]) { $0.write($1) }
    }

    private mutating func restoreMember(from reader: inout StateReader, version: UInt8) throws(StateDamage) {
        let slot = self.members.count
        guard slot < MemberSet.capacity else { throw StateDamage() }
        var member = GatheringMember(user: try reader.identifier(), isSharingLive: try reader.flag())
        member.usableUntil = try reader.optional { reader throws(StateDamage) in try reader.moment() }
        member.position = try reader.optional { reader throws(StateDamage) in
            MemberPosition(
                at: try reader.moment(),
                coordinate: try reader.coordinate(),
                accuracy: try reader.double(),
                isStationary: try reader.flag(),
                speed: try reader.double(),
                interval: version >= 2 ? try reader.moment().milliseconds : 0,
                rest: version >= 2 ? (try reader.coordinate(), try reader.moment()) : nil
            )
        }
        if try reader.flag() { self.usable.insert(slot) }
        if try reader.flag() { self.frozen.insert(slot) }
        if try reader.flag() { self.counted.insert(slot) }
        let linkedSince = try reader.optional { reader throws(StateDamage) in try reader.moment() }
        self.members.append(member)
        self.slots[member.user] = slot
        self.graph.grow(to: slot + 1)
        if self.usable.contains(slot) || self.frozen.contains(slot) {
            guard let position = member.position else { throw StateDamage() }
            self.graph.restore(slot, at: position, linkedSince: linkedSince)
        }
    }

    // MARK: Phase

    private func write(phase: GatheringPhase, to writer: inout StateWriter) {
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
        writer.write(self.members[entry.slot]?.user ?? UserID(0))
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
        guard let slot = self.slots[try reader.identifier()] else { throw StateDamage() }
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

    private func set(of users: [UserID]) -> MemberSet {
        var set = MemberSet()
        for slot in users.compactMap({ self.slots[$0] }) { set.insert(slot) }
        return set
    }
}

extension StateWriter {
    fileprivate mutating func write(_ state: LinkState) {
        switch state {
        case .apart: self.write(UInt8(0))
        case .linked: self.write(UInt8(1))
        case .closing(let since, let lower, let higher, let isSettled):
            self.write(UInt8(2))
            self.write(since)
            self.write(lower)
            self.write(higher)
            self.write(isSettled)
        case .opening(let since, let fixes):
            self.write(UInt8(3))
            self.write(since)
            self.write(fixes)
        }
    }

    fileprivate mutating func write(_ coordinate: Coordinate) {
        self.write(coordinate.latitude)
        self.write(coordinate.longitude)
    }

    fileprivate mutating func write(_ status: GatheringStatus) {
        self.write(status.gathering)
        self.write(status.state == .moved)
        self.write(status.since)
        self.write(status.place.lat)
        self.write(status.place.lon)
        self.write(status.place.name) { $0.write($1) }
        self.write(list: status.together) { $0.write($1) }
        self.write(list: status.absent) { $0.write($1) }
    }
}

extension StateReader {
    fileprivate mutating func place(of count: Int) throws(StateDamage) -> Int {
        let place = try self.integer()
        guard 0..<Int64(count) ~= place else { throw StateDamage() }
        return Int(place)
    }

    fileprivate mutating func coordinate() throws(StateDamage) -> Coordinate {
        Coordinate(latitude: try self.double(), longitude: try self.double())
    }

    fileprivate mutating func linkState(version: UInt8) throws(StateDamage) -> LinkState {
        switch try self.byte() {
        case 0: .apart
        case 1: .linked
        case 2:
            .closing(
                since: try self.moment(),
                lower: min(try self.byte(), 2),
                higher: min(try self.byte(), 2),
                isSettled: version >= 2 ? try self.flag() : false
            )
        case 3: .opening(since: try self.moment(), fixes: min(try self.byte(), 2))
        default: throw StateDamage()
        }
    }

    fileprivate mutating func users() throws(StateDamage) -> [UserID] {
        try self.list { reader throws(StateDamage) in try reader.identifier() }
    }

    fileprivate mutating func status() throws(StateDamage) -> GatheringStatus {
        GatheringStatus(
            gathering: try self.identifier(),
            state: try self.flag() ? .moved : .together,
            since: try self.moment(),
            place: GatheringPlace(
                lat: try self.double(),
                lon: try self.double(),
                name: try self.optional { reader throws(StateDamage) in try reader.text() }
            ),
            together: try self.users(),
            absent: try self.users()
        )
    }
}
