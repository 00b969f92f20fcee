/// The asker and the target of a locate request.
struct LocatePair: Hashable {
    let asker: UserID
    let target: UserID
}

/// A locate request.
///
/// It is kept for at least a minute, because a user may ask for the same target only once a minute.
struct LocateState {
    let session: SessionID
    let group: GroupID
    let pair: LocatePair
    var askedAt: Timestamp
    /// Milliseconds for which an answer is awaited.
    let timeout: Int64
    /// Whether the target refused, so that no more devices are asked.
    var isRefused = false
    /// Whether the request was answered or expired.
    var isDone = false

    /// The deadline for an answer.
    var expiresAt: Timestamp { self.askedAt + self.timeout }
}
