/// Who asked for whom.
struct LocatePair: Hashable {
    let asker: UserID
    let target: UserID
}

/// A request to know where someone is; kept for a minute, because one may ask only once in it.
struct LocateState {
    let session: SessionID
    let group: GroupID
    let pair: LocatePair
    var askedAt: Timestamp
    /// Whether the asker was answered, or told that no answer came.
    var isDone = false
}
