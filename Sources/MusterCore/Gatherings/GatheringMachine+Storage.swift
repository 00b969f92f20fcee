// Layout, version 3: version byte, instant, members, rows of links, closing and opening pairs, partings, phase, who is absent
// and who in doubt, cooldowns. Version 2, which is still read, knows nobody in doubt, and of an opening pair not who went;
// version 1 has no partings either, and of a member neither the interval nor the rest, of a closing pair not whether it is
// settled, of a gathering neither departures nor movement.
//
// Members are written in the order of their slots, and named by their place in that order from then on. A row of links has a
// bit for each member, lowest first. Nearness and C follow from the rest. What waits in the queue is not stored: it is in
// the members' positions, which come back through `adopt`.
//
// Each part has a file of its own: GatheringMachine+StoredMembers, GatheringMachine+StoredPhase, and what both are made of,
// StateWriter+Gathering and StateReader+Gathering.

extension GatheringMachine {
    private static let version: UInt8 = 3

    /// The state to store; nil when there is nothing worth keeping.
    package var stored: StoredGathering? {
        let hasLinks = (0..<self.roster.count).contains { !self.graph.linked[$0].isEmpty }
        guard self.phase != .scattered || hasLinks || !self.cooldown.entries.isEmpty else { return nil }
        let slots = Array(self.roster.enrolled)
        var writer = StateWriter()
        writer.write(Self.version)
        writer.write(self.instant)
        writer.write(list: slots) { self.write(member: $1, to: &$0) }
        self.writeLinks(of: slots, to: &writer)
        self.write(phase: self.phase, to: &writer)
        writer.write(self.absentees != nil)
        if let absentees = self.absentees {
            writer.write(list: self.users(absentees.members)) { $0.write($1) }
            writer.write(list: absentees.doubts) { writer, doubt in
                writer.write(self.roster.user(of: doubt.slot) ?? UserID(0))
                writer.write(doubt.since)
            }
        }
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
        self.reserve(members.count)
        var reader = StateReader(stored.state)
        do throws(StateDamage) { try self.restore(from: &reader) } catch { return nil }

        let sharing = Dictionary(members.map { ($0.user, $0.isSharingLive) }) { first, _ in first }
        for user in self.users(self.roster.enrolled) where sharing[user] == nil { self.dismiss(user) }
        for member in members {
            guard let slot = self.roster.slot(of: member.user) else {
                self.enrol(member)
                continue
            }
            if !member.isSharingLive { self.forget(slot) }
            self.setSharing(member.isSharingLive, of: slot)
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
        self.graph.recompute(radius: self.settings.radius)
        self.followPhase()
        self.memberDeadline = self.instant
    }
}
