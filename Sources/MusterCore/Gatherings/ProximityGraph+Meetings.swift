extension ProximityGraph {
    /// The position of a member when they were last within R of another, and the seconds that both had stayed near it;
    /// nil if there was no meeting since a moment.
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

    /// Whether a member's last two fixes were within R of the same one of `others`.
    func hasCome(_ slot: Int, toAnyOf others: MemberSet) -> Bool {
        for other in others {
            guard case .closing(_, let lower, let higher, _) = self.link(of: MemberPair(slot, other)) else { continue }
            if (slot < other ? lower : higher) >= 2 { return true }
        }
        return false
    }

    /// The current positions of two members who are within R, as a meeting.
    func meeting(of pair: MemberPair, settings: GroupSettings) -> PairMeeting {
        self.meeting(of: pair, self.places[Int(pair.lower)], self.places[Int(pair.higher)], settings: settings)
    }

    /// A meeting of two members at given positions, their last ones within R.
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

    /// The seconds that both members had stayed near a place at `instant`.
    func stayed(_ pair: MemberPair, about place: Coordinate, at instant: Timestamp, settings: GroupSettings) -> Int64 {
        min(
            self.stays[Int(pair.lower)].seconds(about: place, at: instant, settings: settings),
            self.stays[Int(pair.higher)].seconds(about: place, at: instant, settings: settings)
        )
    }
}
