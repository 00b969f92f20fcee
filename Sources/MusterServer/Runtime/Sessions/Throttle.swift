// States: normal — the bucket covers the fixes; slowed(since) — the socket is read no faster than the rate. A client
// that slows down leaves the slowed state as soon as a second passes without debt. After a minute in that state the
// client is warned; after another minute the session is closed.

/// Slows a session down that exceeds the rate limit of fixes, and ends one that ignores the limit.
struct Throttle {
    /// The action after a frame.
    enum Action: Equatable {
        /// Continue to read.
        case none
        /// Stop reading for this many milliseconds.
        case pause(milliseconds: Int64)
        /// Stop reading likewise, and report that the limit is exceeded.
        case warn(milliseconds: Int64)
        /// Close the session.
        case close
    }

    /// The time in the slowed state before the warning; after twice that the session is closed.
    private static let warningAfter: Int64 = 60_000
    private static let recovery: Int64 = 1_000
    private static let never = Int64.min

    private var bucket: TokenBucket
    /// The time at which the slowed state began; `never` in the normal state.
    private var slowedSince = Self.never
    private var lastDebt: Int64 = 0
    private var hasWarned = false

    /// Creates a throttle for `rate` fixes a second and `burst` at once.
    init(rate: Double, burst: Double, now: Int64) {
        self.bucket = TokenBucket(rate: rate, burst: burst, now: now)
    }

    /// Counts fixes that arrived at `now`.
    mutating func receive(_ fixes: Int, now: Int64) -> Action {
        let pause = self.bucket.spend(fixes, now: now)
        guard pause > 0 else {
            if now - self.lastDebt > Self.recovery { self.slowedSince = Self.never }
            return .none
        }
        self.lastDebt = now + pause
        let since = self.slowedSince
        guard since != Self.never else {
            self.slowedSince = now
            self.hasWarned = false
            return .pause(milliseconds: pause)
        }
        if now - since >= 2 * Self.warningAfter { return .close }
        if now - since >= Self.warningAfter, !self.hasWarned {
            self.hasWarned = true
            return .warn(milliseconds: pause)
        }
        return .pause(milliseconds: pause)
    }
}
