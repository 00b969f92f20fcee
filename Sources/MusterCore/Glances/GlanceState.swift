/// The state of a wearable session: its current glance, and the user's position when it was made.
struct GlanceState {
    /// The last glance of a closed session, for a client that reconnects and still shows it.
    struct Disconnected {
        let device: DeviceID
        let glance: Glance
    }

    /// The last glance sent; nil before the first one.
    var last: Glance?
    /// The time at which it was sent.
    var lastSentAt: Timestamp?
    /// Whether the glance is marked for processing.
    var isMarked = false
    /// The user's position at the last processing.
    var lookedFrom: Coordinate?
    /// The spots nearest to the user, nearest first.
    var listed: [NamedPlace] = []
    /// The user's position when these were found.
    var listedFrom: Coordinate?
    /// Whether the list may be out of date.
    var isListStale = true
    /// The end of the wait for spot texts; nil when it does not wait.
    var spotsAwaitedUntil: Timestamp?

    /// Forgets times ahead of now, after the clock was put right.
    mutating func rewind(to now: Timestamp) {
        self.lastSentAt = self.lastSentAt.map { min($0, now) }
        self.spotsAwaitedUntil = self.spotsAwaitedUntil.map { min($0, now) }
    }
}
