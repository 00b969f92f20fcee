extension ProximityGraph {
    /// The pairs that are closing or opening, sorted.
    var storedTransitions: [(pair: MemberPair, link: LinkState)] {
        self.listed.sorted().map { (pair: $0, link: self.link(of: $0)) }.filter(\.link.isPassing)
    }

    /// The pairs whose last meeting is after a moment and who are no longer within R, sorted.
    func storedPartings(since: Timestamp) -> [(pair: MemberPair, meeting: PairMeeting)] {
        guard !self.meetings.isEmpty else { return [] }
        var partings: [(pair: MemberPair, meeting: PairMeeting)] = []
        for slot in self.placed {
            for other in self.placed where other > slot {
                let pair = MemberPair(slot, other)
                guard !self.isWithin(pair), let meeting = self.meetings[pair], meeting.isSince(since) else { continue }
                partings.append((pair, meeting))
            }
        }
        return partings
    }

    /// Places a member at their stored position.
    mutating func restore(_ slot: Int, at position: MemberPosition, linkedSince: Timestamp?) {
        self.place(slot, at: position)
        self.linkedSince[slot] = linkedSince
    }

    /// Restores the link of two placed members.
    mutating func restore(_ pair: MemberPair, _ link: LinkState, at instant: Timestamp) {
        self.set(link, of: pair, at: instant)
    }

    /// Restores the last meeting of two members.
    mutating func restore(_ pair: MemberPair, _ meeting: PairMeeting) { self.meetings[pair] = meeting }
}
