extension GatheringState {
    /// Returns the state with all moments shifted back, if it was stored after `instant`.
    ///
    /// That happens if the server's clock was ahead when the state was stored.
    func notAhead(of instant: Timestamp) -> Self {
        let lead = self.at.moment - instant
        guard lead > 0 else { return self }
        var state = self
        state.at.rewind(by: lead)
        for index in state.members.indices { state.members[index].rewind(by: lead) }
        for index in state.transitions.indices { state.transitions[index].since.rewind(by: lead) }
        for index in state.partings.indices { state.partings[index].at.rewind(by: lead) }
        state.candidateSince?.rewind(by: lead)
        state.gathering?.rewind(by: lead)
        for index in state.absence?.doubts.indices ?? 0..<0 { state.absence?.doubts[index].since.rewind(by: lead) }
        for index in state.cooldowns.indices { state.cooldowns[index].at.rewind(by: lead) }
        return state
    }
}

extension StoredMoment {
    fileprivate mutating func rewind(by milliseconds: Int64) { self = StoredMoment(self.moment - milliseconds) }
}

extension GatheringState.Stay {
    fileprivate mutating func rewind(by milliseconds: Int64) {
        self.since.rewind(by: milliseconds)
        self.until?.rewind(by: milliseconds)
    }
}

extension GatheringState.Position {
    fileprivate mutating func rewind(by milliseconds: Int64) {
        self.at.rewind(by: milliseconds)
        self.usableUntil.rewind(by: milliseconds)
        self.rest.rewind(by: milliseconds)
        self.stay.rewind(by: milliseconds)
        self.longStay?.rewind(by: milliseconds)
    }
}

extension GatheringState.Member {
    fileprivate mutating func rewind(by milliseconds: Int64) {
        self.position?.rewind(by: milliseconds)
        self.countsAt?.rewind(by: milliseconds)
        self.linkedSince?.rewind(by: milliseconds)
    }
}

extension GatheringState.Gathered {
    fileprivate mutating func rewind(by milliseconds: Int64) {
        self.since.rewind(by: milliseconds)
        self.begin.rewind(by: milliseconds)
        self.absentSince?.rewind(by: milliseconds)
        self.absenceGapSince?.rewind(by: milliseconds)
        self.belowSince?.rewind(by: milliseconds)
        for index in self.departures.indices {
            self.departures[index].since?.rewind(by: milliseconds)
            self.departures[index].seen?.rewind(by: milliseconds)
            self.departures[index].heard?.rewind(by: milliseconds)
        }
        self.elsewhere?.rewind(by: milliseconds)
    }
}
