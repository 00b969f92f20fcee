/// The pending vote updates of a spot.
struct PendingVotes {
    /// The time of the last vote.
    var lastVote: Timestamp
    /// The time of the last update sent.
    var lastSent: Timestamp?
    /// Whether there were votes since the last count.
    var isOwed = false
    /// Whether a count query is under way.
    var isCounting = false
    /// Whether the result goes to all sessions.
    var isForAll = false
    /// Sessions that were recently sent the spot, maybe with older counts.
    var late: Set<SessionID> = []

    /// Whether a count query is due.
    var isDue: Bool { !self.isCounting && (self.isOwed || !self.late.isEmpty) }
}
