extension ProximityGraph {
    /// Where a member was when they were last within R of another, and for how many seconds both had stayed about there; nil when
    /// they were not since a moment.
    func lastMeeting(
        of slot: Int,
        with other: Int,
        since: Timestamp,
        settings: GroupSettings
    ) -> (place: Coordinate, stayed: Int64)? {
        let pair = MemberPair(slot, other)
        let meeting =
            self.isWithin(pair)
            ? self.meeting(of: pair, settings: settings) : self.meetings[pair].flatMap { $0.isSince(since) ? $0 : nil }
        return meeting.map {
            slot < other ? ($0.lower, $0.stayed.atLower) : ($0.higher, $0.stayed.atHigher)
        }
    }

    /// Whether a member's last two fixes were within R of any of some.
    func hasCome(_ slot: Int, toAnyOf others: MemberSet) -> Bool {
        for other in others {
            guard case .closing(_, let lower, let higher, _) = self.link(of: MemberPair(slot, other)) else { continue }
            if (slot < other ? lower : higher) >= 2 { return true }
        }
        return false
    }

    /// Where two members are, who are within R now.
    func meeting(of pair: MemberPair, settings: GroupSettings) -> PairMeeting {
        self.meeting(of: pair, self.places[Int(pair.lower)], self.places[Int(pair.higher)], settings: settings)
    }

    /// Where two members were at two positions of theirs, the last ones within R.
    func meeting(
        of pair: MemberPair,
        _ lower: MemberPosition,
        _ higher: MemberPosition,
        settings: GroupSettings
    ) -> PairMeeting {
        let at = max(lower.at, higher.at)
        return PairMeeting(
            lower: lower.coordinate,
            higher: higher.coordinate,
            at: at,
            stayed: (
                self.stayed(pair, about: lower.coordinate, at: at, settings: settings),
                self.stayed(pair, about: higher.coordinate, at: at, settings: settings)
            )
        )
    }

    /// For how many seconds two members had both stayed about a place, when it was `instant`.
    func stayed(_ pair: MemberPair, about place: Coordinate, at instant: Timestamp, settings: GroupSettings) -> Int64 {
        min(
            self.stays[Int(pair.lower)].seconds(about: place, at: instant, settings: settings),
            self.stays[Int(pair.higher)].seconds(about: place, at: instant, settings: settings)
        )
    }
}
