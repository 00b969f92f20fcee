extension ProximityGraph {
    /// The pairs that are closing or opening, in order.
    var storedTransitions: [(pair: MemberPair, link: LinkState)] {
        self.listed.sorted().map { (pair: $0, link: self.link(of: $0)) }.filter(\.link.isPassing)
    }

    /// The pairs that were within R after a moment and are not any more, in order.
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

    /// Puts a member where they were when the state was stored.
    mutating func restore(_ slot: Int, at position: MemberPosition, linkedSince: Timestamp?) {
        self.places[slot] = position
        self.placed.insert(slot)
        self.linkedSince[slot] = linkedSince
    }

    /// Puts two members into the state they were in; both are placed.
    mutating func restore(_ pair: MemberPair, _ link: LinkState, at instant: Timestamp) {
        self.set(link, of: pair, at: instant)
    }

    /// Restores where two members were when they were last within R.
    mutating func restore(_ pair: MemberPair, _ meeting: PairMeeting) { self.meetings[pair] = meeting }
}
