// Each level has a cause: a session in the foreground for `online`; any session, or a recent report without one, for
// `away`. Such a report counts for five minutes, and that of a phone's own app for 45 minutes. A level holds while its cause lasts and for a grace period afterwards. So upward steps are
// immediate and downward steps are delayed. A user who returns within the grace period never appears to have left.

/// The causes of a user's presence, over all their sessions.
struct PresenceState {
    /// The time for which a report without a session counts as being reachable.
    static let reportLasts: Int64 = 300_000
    /// The time for which a report of a phone's own app counts: such apps report seldom while the phone is at rest.
    static let trackerReportLasts = Freshness.recentAge

    @Packed private var foregroundEnded: Timestamp?
    @Packed private var reachableEnded: Timestamp?
    private var storedUntil: Timestamp
    /// Open sessions in the foreground.
    private(set) var foreground: Int32 = 0
    /// Open sessions of any kind.
    private(set) var sessions: Int32 = 0
    /// The stored presence at a restart.
    private let stored: Presence
    /// The level published last.
    var shown: Presence

    /// Begins with the stored presence, which holds until `storedUntil` as a minimum.
    init(stored: Presence, until storedUntil: Timestamp) {
        self.shown = stored
        self.stored = stored
        self.storedUntil = storedUntil
    }

    /// Counts an opened session.
    mutating func sessionOpened(isForeground: Bool) {
        self.sessions += 1
        self.foreground += isForeground ? 1 : 0
    }

    /// Counts a closed session.
    mutating func sessionClosed(isForeground: Bool, at now: Timestamp) {
        self.sessions -= 1
        if self.sessions == 0 { self.reachable(until: now) }
        if isForeground { self.foregroundLost(at: now) }
    }

    /// Records that a session moved to the foreground or the background.
    mutating func sessionMoved(toForeground isForeground: Bool, at now: Timestamp) {
        if isForeground {
            self.foreground += 1
        } else {
            self.foregroundLost(at: now)
        }
    }

    /// Records a report without a session, which counts for `duration` milliseconds.
    mutating func reported(at now: Timestamp, lasting duration: Int64 = Self.reportLasts) {
        self.reachable(until: now + duration)
    }

    /// The level at `now`.
    func level(at now: Timestamp, grace: Int64) -> Presence {
        if self.foreground > 0 || Self.isWithinGrace(self.foregroundEnded, at: now, grace: grace) { return .online }
        let isReachable = self.sessions > 0 || Self.isWithinGrace(self.reachableEnded, at: now, grace: grace)
        let countsStored = now < self.storedUntil
        if countsStored && self.stored == .online { return .online }
        return isReachable || (countsStored && self.stored == .away) ? .away : .offline
    }

    /// The next time at which the level may fall without an event; nil when only an event can change it.
    func nextChange(after now: Timestamp, grace: Int64) -> Timestamp? {
        var next = self.storedUntil > now ? self.storedUntil : nil
        if let end = self.foregroundEnded.map({ $0 + grace }), end > now { next = min(end, next ?? end) }
        if let end = self.reachableEnded.map({ $0 + grace }), end > now { next = min(end, next ?? end) }
        return next
    }

    /// Limits recorded times to now, after the clock was corrected.
    mutating func rewind(to now: Timestamp) {
        self.foregroundEnded = self.foregroundEnded.map { min($0, now) }
        self.reachableEnded = self.reachableEnded.map { min($0, now + Self.trackerReportLasts) }
        self.storedUntil = min(self.storedUntil, now)
    }

    private static func isWithinGrace(_ ended: Timestamp?, at now: Timestamp, grace: Int64) -> Bool {
        ended.map { now < $0 + grace } ?? false
    }

    private mutating func foregroundLost(at now: Timestamp) {
        self.foreground -= 1
        if self.foreground == 0 { self.foregroundEnded = now }
    }

    private mutating func reachable(until end: Timestamp) {
        self.reachableEnded = max(end, self.reachableEnded ?? end)
    }
}
