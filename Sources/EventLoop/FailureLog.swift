// A repeated failure is logged when it begins, once a minute while it lasts, and when it ends. So the log has three
// readable lines a minute instead of hundreds.

/// A filter that decides which failures of one loop are logged.
package struct FailureLog: Sendable {
    /// Milliseconds between two lines while failures go on.
    package static let interval: Int64 = 60_000

    private var began: Int64?
    private var lastLine: Int64 = 0
    private var lastFailure: Int64 = 0
    private let quietPeriod: Int64
    private var count = 0

    /// Creates the filter of a loop that has not failed yet.
    ///
    /// - Parameter quietPeriod: milliseconds without a failure after which a success ends the failing state. Use more
    ///   than 0 where successes and failures alternate.
    package init(quietPeriod: Int64 = 0) { self.quietPeriod = quietPeriod }

    /// Whether the loop is in the failing state.
    package var isFailing: Bool { self.began != nil }

    /// Counts a failure at `now` (milliseconds of a monotonic clock).
    ///
    /// Returns its log line when one is due.
    ///
    /// Lines after the first contain the number of failures and their duration.
    package mutating func failed(at now: Int64, _ event: () -> LogEvent) -> LogEvent? {
        self.count += 1
        self.lastFailure = now
        guard let began = self.began else {
            (self.began, self.lastLine) = (now, now)
            return event()
        }
        guard now - self.lastLine >= Self.interval else { return nil }
        self.lastLine = now
        return self.counted(event(), since: began, at: now)
    }

    /// Records a success at `now`.
    ///
    /// Returns the log line that ends the failing state, or nil when the state does not end.
    package mutating func succeeded(at now: Int64, _ event: () -> LogEvent) -> LogEvent? {
        guard let began = self.began, now - self.lastFailure >= self.quietPeriod else { return nil }
        defer { self = Self(quietPeriod: self.quietPeriod) }
        return self.counted(event(), since: began, at: now)
    }

    private func counted(_ event: LogEvent, since began: Int64, at now: Int64) -> LogEvent {
        let fields = [("failures", String(self.count)), ("seconds", String((now - began) / 1000))]
        return LogEvent(event.level, event.message, event.fields + fields)
    }
}
