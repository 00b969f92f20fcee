extension GatheringMachine {
    /// Writes a member.
    func write(member slot: Int, to writer: inout StateWriter) {
        let position = self.position(of: slot)
        writer.write(self.roster.users[slot])
        writer.write(self.sharing.contains(slot))
        writer.write(position?.usableUntil) { $0.write($1) }
        writer.write(position) { writer, position in
            writer.write(position.at)
            writer.write(position.coordinate)
            writer.write(position.accuracy)
            writer.write(position.isStationary)
            writer.write(position.speed)
            writer.write(position.interval)
            writer.write(position.restPlace)
            writer.write(position.restSince)
        }
        writer.write(self.usable.contains(slot))
        writer.write(self.frozen.contains(slot))
        writer.write(self.counted.contains(slot))
        writer.write(self.graph.linkedSince[slot]) { $0.write($1) }
    }

    /// Restores a member, who gets the next slot.
    mutating func restoreMember(from reader: inout StateReader, version: UInt8) throws(StateDamage) {
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
        if self.usable.contains(slot) || self.frozen.contains(slot) {
            guard let position else { throw StateDamage() }
            self.graph.restore(slot, at: position, linkedSince: linkedSince)
        } else {
            self.aside[slot] = position
        }
    }

    // MARK: Links

    /// Writes who is linked with whom, who is on the way, and where those coming apart were together.
    func writeLinks(of slots: [Int], to writer: inout StateWriter) {
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
            writer.write(parting.meeting.lower)
            writer.write(parting.meeting.higher)
        }
    }

    /// Restores what `writeLinks` wrote of so many members.
    mutating func restoreLinks(
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
                self.graph.restore(MemberPair(lower, higher), PairMeeting(lower: one, higher: two))
            }
        }
    }

    private mutating func restoreLink(_ one: Int, _ other: Int, _ state: LinkState) throws(StateDamage) {
        guard one != other, self.graph.placed.contains(one), self.graph.placed.contains(other) else {
            throw StateDamage()
        }
        self.graph.restore(MemberPair(one, other), state, at: self.instant)
    }
}
