// Vote counts are computed in storage. Adding up single votes here would go wrong as soon as two votes arrive in
// another order than they were stored. So a vote only marks the spot; storage counts the votes afterwards. The result
// goes to the sessions that were sent the spot and to the wearables that show it. During a query, and for a second
// after its result was sent, votes only mark the spot again. So the last count follows the last vote, and each spot is
// updated at most once a second.
//
// A session may be sent a spot with counts from before a vote just after the others got the new ones: a request handler
// reads the spot, and its answer arrives later. So a spot is remembered for a while after a vote, and sessions that are
// sent it meanwhile also get the next count.

extension World {
    /// The minimum time between two vote updates of a spot, in milliseconds.
    static let votesInterval: Int64 = 1_000
    /// The time after a vote during which an answer may carry older counts, in milliseconds; longer than any request
    /// takes.
    static let votesMemory: Int64 = 15_000
    /// The pause after a failed count query, in milliseconds.
    static let countingPause: Int64 = 5_000

    /// Schedules a vote count of a spot for the sessions that were sent it.
    ///
    /// The voting session counts as one of them.
    mutating func noteVote(on spot: SpotID, by session: SessionID?) {
        guard !self.recentEnds.contains(.spot(spot)) else { return }
        if let session, self.isNotified(session) { self.sentSpots.insert(spot, to: session) }
        var pending = self.votes[spot] ?? PendingVotes(lastVote: self.now)
        pending.lastVote = self.now
        pending.isOwed = true
        self.votes[spot] = pending
        self.scheduleCount(of: spot)
    }

    /// Records that an answer sends spots to a session, and schedules counts that may have changed since they were
    /// read.
    mutating func noteSent(_ spots: [SpotID], to session: SessionID) {
        guard self.isNotified(session) else { return }
        for spot in spots {
            if self.recentEnds.contains(.spot(spot)) {
                self.send([session], .spotGone(spot))
                continue
            }
            self.sentSpots.insert(spot, to: session)
            guard self.votes[spot] != nil else { continue }
            self.votes[spot]?.late.insert(session)
            self.scheduleCount(of: spot)
        }
    }

    /// Schedules a vote count of a spot whose older counts a wearable may show.
    mutating func recount(_ spot: SpotID, for session: SessionID) {
        guard self.votes[spot] != nil else { return }
        self.votes[spot]?.late.insert(session)
        self.scheduleCount(of: spot)
    }

    /// Queries storage for the due vote counts.
    mutating func countVotes() {
        guard !self.uncounted.isEmpty else { return }
        var spots: [SpotID] = []
        for spot in self.uncounted {
            guard var pending = self.votes[spot] else { continue }
            guard pending.isDue, self.isShown(spot) else {
                self.deadlines.schedule(.spot(spot), at: pending.lastVote + Self.votesMemory)
                continue
            }
            pending.isForAll = pending.isOwed
            pending.isOwed = false
            pending.isCounting = true
            self.votes[spot] = pending
            spots.append(spot)
        }
        self.uncounted.removeAll(keepingCapacity: true)
        if !spots.isEmpty { self.effects.append(.ask(.votes(spots))) }
    }

    /// Sends the vote counts from storage.
    mutating func sendVotes(_ votes: [SpotVotes], of spots: [SpotID]) {
        for votes in votes {
            guard var pending = self.votes[votes.spot], pending.isCounting else { continue }
            let sessions = self.sentSpots.sessions(of: votes.spot).filter {
                pending.isForAll || pending.late.contains($0)
            }
            self.send(sessions, .spotChanged(votes))
            self.showVotes(votes)
            pending.isForAll = false
            pending.late = []
            pending.lastSent = self.now
            self.votes[votes.spot] = pending
        }
        for spot in spots {
            self.votes[spot]?.isCounting = false
            self.scheduleCount(of: spot)
        }
    }

    /// Schedules another count query after a failure.
    mutating func failCounting(of spots: [SpotID]) {
        for spot in spots {
            guard var pending = self.votes[spot], pending.isCounting else { continue }
            pending.isCounting = false
            pending.isOwed = pending.isOwed || pending.isForAll
            self.votes[spot] = pending
            self.deadlines.schedule(.spot(spot), at: self.now + Self.countingPause)
        }
    }

    /// Processes a spot whose vote deadline is due.
    mutating func meetDeadline(of spot: SpotID) {
        guard let pending = self.votes[spot] else { return }
        let isOver = !pending.isCounting && !(pending.isDue && self.isShown(spot))
        if isOver, pending.lastVote + Self.votesMemory <= self.now {
            self.votes[spot] = nil
        } else {
            // The deadline may have been set before the last count.
            self.scheduleCount(of: spot)
        }
    }

    /// Removes the vote state of a spot.
    mutating func forgetVotes(on spot: SpotID) {
        guard self.votes.removeValue(forKey: spot) != nil else { return }
        self.deadlines.cancel(.spot(spot))
    }

    /// Schedules a count for the end of the batch, or for the time at which the next update may be sent.
    private mutating func scheduleCount(of spot: SpotID) {
        guard let pending = self.votes[spot] else { return }
        let end = max(pending.lastVote + Self.votesMemory, self.now + Self.votesInterval)
        let next = pending.lastSent.map { $0 + Self.votesInterval } ?? self.now
        guard pending.isDue, self.isShown(spot) else { return self.deadlines.schedule(.spot(spot), at: end) }
        if next <= self.now { self.uncounted.append(spot) }
        self.deadlines.schedule(.spot(spot), at: next <= self.now ? end : next)
    }

    /// Whether any session was sent a spot or any wearable shows it.
    private func isShown(_ spot: SpotID) -> Bool { self.sentSpots.isSent(spot) || self.glanceSpots.isShown(spot) }

    /// Whether a session receives updates about spots.
    private func isNotified(_ session: SessionID) -> Bool {
        self.sessions.value(of: session).map { $0.isOpen && !$0.isWatch } ?? false
    }
}
