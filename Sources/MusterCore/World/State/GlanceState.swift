/// What is known of a watch session: what it shows, and where its person was when that was made.
struct GlanceState {
    /// What a watch was sent last that has gone, for when it comes back and says that it holds it.
    struct Parted {
        let device: DeviceID
        let glance: Glance
    }

    /// What it was sent last; nil before the first glance.
    var last: Glance?
    /// When that was.
    var lastSentAt: Timestamp?
    /// Whether it waits to be looked at.
    var isMarked = false
    /// Where the person was when it was looked at last.
    var lookedFrom: Coordinate?
    /// The spots nearest to the person, the nearest first.
    var listed: [NamedPlace] = []
    /// Where the person was when these were found.
    var listedFrom: Coordinate?
    /// Whether there may be others by now.
    var isListStale = true
    /// Until when it waits for what its spots say; nil when it waits for nothing.
    var spotsAwaitedUntil: Timestamp?

    /// Forgets times ahead of now, after the clock was put right.
    mutating func turnBack(to now: Timestamp) {
        self.lastSentAt = self.lastSentAt.map { min($0, now) }
        self.spotsAwaitedUntil = self.spotsAwaitedUntil.map { min($0, now) }
    }
}
