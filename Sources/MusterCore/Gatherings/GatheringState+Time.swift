extension GatheringState {
    /// Returns the state with all moments shifted back, if it was stored after `instant`.
    ///
    /// That happens if the server's clock was ahead when the state was stored.
    func notAhead(of instant: Timestamp) -> Self {
        let lead = self.at.moment - instant
        guard lead > 0 else { return self }
        var state = self
        state.at.turnBack(by: lead)
        for index in state.members.indices { state.members[index].turnBack(by: lead) }
        for index in state.transitions.indices { state.transitions[index].since.turnBack(by: lead) }
        for index in state.partings.indices { state.partings[index].at.turnBack(by: lead) }
        state.candidateSince?.turnBack(by: lead)
        state.gathering?.turnBack(by: lead)
        for index in state.absence?.doubts.indices ?? 0..<0 { state.absence?.doubts[index].since.turnBack(by: lead) }
        for index in state.cooldowns.indices { state.cooldowns[index].at.turnBack(by: lead) }
        return state
    }
}

extension StoredMoment {
    fileprivate mutating func turnBack(by milliseconds: Int64) { self = StoredMoment(self.moment - milliseconds) }
}

extension GatheringState.Stay {
    fileprivate mutating func turnBack(by milliseconds: Int64) {
        self.since.turnBack(by: milliseconds)
        self.until?.turnBack(by: milliseconds)
    }
}

extension GatheringState.Position {
    fileprivate mutating func turnBack(by milliseconds: Int64) {
        self.at.turnBack(by: milliseconds)
        self.usableUntil.turnBack(by: milliseconds)
        self.rest.turnBack(by: milliseconds)
        self.stay.turnBack(by: milliseconds)
        self.longStay?.turnBack(by: milliseconds)
    }
}

extension GatheringState.Member {
    fileprivate mutating func turnBack(by milliseconds: Int64) {
        self.position?.turnBack(by: milliseconds)
        self.countsAt?.turnBack(by: milliseconds)
        self.linkedSince?.turnBack(by: milliseconds)
    }
}

extension GatheringState.Gathered {
    fileprivate mutating func turnBack(by milliseconds: Int64) {
        self.since.turnBack(by: milliseconds)
        self.begin.turnBack(by: milliseconds)
        self.absentSince?.turnBack(by: milliseconds)
        self.absenceGapSince?.turnBack(by: milliseconds)
        self.belowSince?.turnBack(by: milliseconds)
        for index in self.departures.indices {
            self.departures[index].since?.turnBack(by: milliseconds)
            self.departures[index].seen?.turnBack(by: milliseconds)
            self.departures[index].heard?.turnBack(by: milliseconds)
        }
        self.elsewhere?.turnBack(by: milliseconds)
    }
}
