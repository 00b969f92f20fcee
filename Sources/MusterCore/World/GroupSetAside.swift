/// Why nothing is decided about a group's gatherings for a while.
package struct GroupSetAside: Sendable, Equatable, Codable {
    /// What was wrong with the group's last decision.
    package enum Cause: String, Sendable, Codable {
        /// It took more instants than `WorldConfiguration.instantBudget`.
        case exhausted
        /// It took longer than `WorldConfiguration.slowDecision`.
        case slow
    }

    /// The first and the longest pause before the next try, in milliseconds.
    static let pauses: ClosedRange<Int64> = 60_000...3_600_000

    /// What was wrong the last time.
    package var cause: Cause
    /// When the group was set aside.
    package var since: Timestamp
    /// When it is tried again.
    package var retryAt: Timestamp
    /// How often it was tried.
    package var tries: Int

    /// Describes a group that is set aside.
    package init(cause: Cause, since: Timestamp, retryAt: Timestamp, tries: Int) {
        self.cause = cause
        self.since = since
        self.retryAt = retryAt
        self.tries = tries
    }

    /// Sets a group aside at `now`, for twice as long as the last time if it was so already.
    init(_ cause: Cause, after last: Self?, at now: Timestamp) {
        self.cause = cause
        self.since = last?.since ?? now
        self.tries = (last?.tries ?? 0) + 1
        let pause = Self.pauses.lowerBound << Int64(min(self.tries - 1, 10))
        self.retryAt = now + min(pause, Self.pauses.upperBound)
    }
}
