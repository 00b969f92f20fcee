/// What is to be told of the votes on a spot.
struct VoteNews {
    /// When somebody voted last.
    var lastVote: Timestamp
    /// When sessions were told last.
    var lastTold: Timestamp?
    /// Whether somebody voted since the votes were counted.
    var isOwed = false
    /// Whether storage counts.
    var isCounting = false
    /// Whether all are told what it counts.
    var isForAll = false
    /// Sessions that were sent the spot of late, maybe as it was before a vote.
    var late: Set<SessionID> = []

    /// Whether votes are to be counted.
    var isDue: Bool { !self.isCounting && (self.isOwed || !self.late.isEmpty) }
}
