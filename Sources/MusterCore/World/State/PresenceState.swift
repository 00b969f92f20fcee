// Each level has a reason: a session in the foreground for `online`; any session, or a report without one in the last
// five minutes, for `away`. A level holds while its reason lasts and for the grace after it ended. So steps up are
// immediate, every step down waits, and whoever returns in time was never seen to go.

/// Why a person is seen as they are, over all their sessions.
struct PresenceState {
    /// How long a report without a session counts as being reachable.
    static let reportLasts: Int64 = 300_000

    @Packed private var foregroundEnded: Timestamp?
    @Packed private var reachableEnded: Timestamp?
    private var storedUntil: Timestamp
    /// Open sessions in the foreground.
    private(set) var foreground: Int32 = 0
    /// Open sessions of any kind.
    private(set) var sessions: Int32 = 0
    /// What storage said, after a restart.
    private let stored: Presence
    /// What others were told last.
    var shown: Presence

    /// Begins with what storage said, which holds until `storedUntil` whatever is real.
    init(stored: Presence, until storedUntil: Timestamp) {
        self.shown = stored
        self.stored = stored
        self.storedUntil = storedUntil
    }

    /// Counts a session that opened.
    mutating func sessionOpened(isForeground: Bool) {
        self.sessions += 1
        self.foreground += isForeground ? 1 : 0
    }

    /// Counts a session that closed.
    mutating func sessionClosed(isForeground: Bool, at now: Timestamp) {
        self.sessions -= 1
        if self.sessions == 0 { self.reachable(until: now) }
        if isForeground { self.foregroundLost(at: now) }
    }

    /// Notes that a session came to the foreground or left it.
    mutating func sessionMoved(toForeground isForeground: Bool, at now: Timestamp) {
        if isForeground {
            self.foreground += 1
        } else {
            self.foregroundLost(at: now)
        }
    }

    /// Notes a report that came without a session.
    mutating func reported(at now: Timestamp) { self.reachable(until: now + Self.reportLasts) }

    /// What holds at `now`.
    func level(at now: Timestamp, grace: Int64) -> Presence {
        if self.foreground > 0 || Self.isWithinGrace(self.foregroundEnded, at: now, grace: grace) { return .online }
        let isReachable = self.sessions > 0 || Self.isWithinGrace(self.reachableEnded, at: now, grace: grace)
        let countsStored = now < self.storedUntil
        if countsStored && self.stored == .online { return .online }
        return isReachable || (countsStored && self.stored == .away) ? .away : .offline
    }

    /// The next moment at which the level may fall by itself; nil when only an event can change it.
    func nextChange(after now: Timestamp, grace: Int64) -> Timestamp? {
        var next = self.storedUntil > now ? self.storedUntil : nil
        if let end = self.foregroundEnded.map({ $0 + grace }), end > now { next = min(end, next ?? end) }
        if let end = self.reachableEnded.map({ $0 + grace }), end > now { next = min(end, next ?? end) }
        return next
    }

    /// Forgets times ahead of now, after the clock was put right.
    mutating func turnBack(to now: Timestamp) {
        self.foregroundEnded = self.foregroundEnded.map { min($0, now) }
        self.reachableEnded = self.reachableEnded.map { min($0, now + Self.reportLasts) }
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
