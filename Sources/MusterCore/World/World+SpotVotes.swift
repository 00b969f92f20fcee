// Votes are counted where they are: whoever adds up what each vote says goes wrong as soon as two come in another order than
// they were stored. So a vote only says that the spot is to be counted; storage counts after it, and those who were sent the
// spot, or whose watches show it, are told. While it counts, and for a second after they were told, votes only note that it
// is to be done again. So the last count comes after the last vote, and each spot is told at most once a second.
//
// A session may be sent a spot with the counts from before a vote just after the others were told: a handler reads, and its
// answer comes later. So a spot is remembered for a while after a vote, and who is sent it meanwhile is told the next count.

extension World {
    /// The least time between two counts of a spot that are told, in milliseconds.
    static let votesInterval: Int64 = 1_000
    /// How long after a vote an answer may say what was before it, in milliseconds: longer than a request may take.
    static let votesMemory: Int64 = 15_000
    /// How long storage is left alone after it could not count, in milliseconds.
    static let countingPause: Int64 = 5_000

    /// Has the votes on a spot counted, and told to whoever was sent it; the session that votes is sent it, too.
    mutating func noteVote(on spot: SpotID, by session: SessionID?) {
        guard !self.recentEnds.contains(.spot(spot)) else { return }
        if let session, self.isTold(session) { self.sentSpots.insert(spot, to: session) }
        var news = self.votes[spot] ?? VoteNews(lastVote: self.now)
        news.lastVote = self.now
        news.isOwed = true
        self.votes[spot] = news
        self.scheduleCount(of: spot)
    }

    /// Notes that a session gets spots in an answer, and tells it what may have changed since they were read.
    mutating func noteSent(_ spots: [SpotID], to session: SessionID, into effects: inout [WorldEffect]) {
        guard self.isTold(session) else { return }
        for spot in spots {
            if self.recentEnds.contains(.spot(spot)) {
                self.tell([session], .spotGone(spot), into: &effects)
                continue
            }
            self.sentSpots.insert(spot, to: session)
            guard self.votes[spot] != nil else { continue }
            self.votes[spot]?.late.insert(session)
            self.scheduleCount(of: spot)
        }
    }

    /// Has a spot counted again of which a watch may have been shown what was before a vote.
    mutating func recount(_ spot: SpotID, for session: SessionID) {
        guard self.votes[spot] != nil else { return }
        self.votes[spot]?.late.insert(session)
        self.scheduleCount(of: spot)
    }

    /// Asks storage for what is to be told now.
    mutating func countVotes(into effects: inout [WorldEffect]) {
        guard !self.uncounted.isEmpty else { return }
        var spots: [SpotID] = []
        for spot in self.uncounted {
            guard var news = self.votes[spot] else { continue }
            guard news.isDue, self.isShown(spot) else {
                self.deadlines.schedule(.spot(spot), at: news.lastVote + Self.votesMemory)
                continue
            }
            news.isForAll = news.isOwed
            news.isOwed = false
            news.isCounting = true
            self.votes[spot] = news
            spots.append(spot)
        }
        self.uncounted.removeAll(keepingCapacity: true)
        if !spots.isEmpty { effects.append(.spots(.countVotes(spots))) }
    }

    /// Tells what storage counted.
    mutating func tellVotes(_ votes: [SpotVotes], of spots: [SpotID], into effects: inout [WorldEffect]) {
        for votes in votes {
            guard var news = self.votes[votes.spot], news.isCounting else { continue }
            let sessions = self.sentSpots.sessions(of: votes.spot).filter { news.isForAll || news.late.contains($0) }
            self.tell(sessions, .spotChanged(votes), into: &effects)
            self.showVotes(votes)
            news.isForAll = false
            news.late = []
            news.lastTold = self.now
            self.votes[votes.spot] = news
        }
        for spot in spots {
            self.votes[spot]?.isCounting = false
            self.scheduleCount(of: spot)
        }
    }

    /// Has storage asked again later.
    mutating func failCounting(of spots: [SpotID]) {
        for spot in spots {
            guard var news = self.votes[spot], news.isCounting else { continue }
            news.isCounting = false
            news.isOwed = news.isOwed || news.isForAll
            self.votes[spot] = news
            self.deadlines.schedule(.spot(spot), at: self.now + Self.countingPause)
        }
    }

    /// Does what is due for a spot that was voted on.
    mutating func meetDeadline(of spot: SpotID) {
        guard let news = self.votes[spot] else { return }
        let isOver = !news.isCounting && !(news.isDue && self.isShown(spot))
        if isOver, news.lastVote + Self.votesMemory <= self.now {
            self.votes[spot] = nil
        } else {
            // The deadline may be of before the last count.
            self.scheduleCount(of: spot)
        }
    }

    /// Forgets what is to be told of a spot.
    mutating func forgetVotes(on spot: SpotID) {
        guard self.votes.removeValue(forKey: spot) != nil else { return }
        self.deadlines.cancel(.spot(spot))
    }

    /// Has a spot counted at the end of the turn, or as soon as those who are shown it may be told again.
    private mutating func scheduleCount(of spot: SpotID) {
        guard let news = self.votes[spot] else { return }
        let end = max(news.lastVote + Self.votesMemory, self.now + Self.votesInterval)
        let next = news.lastTold.map { $0 + Self.votesInterval } ?? self.now
        guard news.isDue, self.isShown(spot) else { return self.deadlines.schedule(.spot(spot), at: end) }
        if next <= self.now { self.uncounted.append(spot) }
        self.deadlines.schedule(.spot(spot), at: next <= self.now ? end : next)
    }

    /// Whether a session was sent a spot, or a watch shows it.
    private func isShown(_ spot: SpotID) -> Bool { self.sentSpots.isSent(spot) || self.glanceSpots.isShown(spot) }

    /// Whether a session is one that is told of spots.
    private func isTold(_ session: SessionID) -> Bool {
        self.sessions.value(of: session).map { $0.isOpen && !$0.isWatch } ?? false
    }
}
