/// The suspension of a group's gathering evaluation after a decision that was too expensive.
package struct GroupSuspension: Sendable, Equatable {
    /// The reason for the suspension.
    package enum Cause: String, Sendable {
        /// The decision needed more instants than `WorldConfiguration.instantBudget`.
        case exhausted
        /// The decision took longer than `WorldConfiguration.slowDecision`.
        case slow
    }

    /// The first and the longest pause before the next attempt, in milliseconds.
    static let pauses: ClosedRange<Int64> = 60_000...3_600_000

    /// The reason for the latest suspension.
    package var cause: Cause
    /// The start of the suspension.
    package var since: Timestamp
    /// The time of the next attempt.
    package var retryAt: Timestamp
    /// The number of consecutive suspensions.
    package var tries: Int

    /// Creates a suspension.
    init(cause: Cause, since: Timestamp, retryAt: Timestamp, tries: Int) {
        self.cause = cause
        self.since = since
        self.retryAt = retryAt
        self.tries = tries
    }

    /// Suspends a group at `now`.
    ///
    /// The pause doubles with each consecutive suspension, up to the longest one.
    init(_ cause: Cause, after last: Self?, at now: Timestamp) {
        self.cause = cause
        self.since = last?.since ?? now
        self.tries = (last?.tries ?? 0) + 1
        let pause = Self.pauses.lowerBound << Int64(min(self.tries - 1, 10))
        self.retryAt = now + min(pause, Self.pauses.upperBound)
    }
}
