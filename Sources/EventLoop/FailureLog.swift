// What fails again and again says so when that begins, once a minute while it lasts, and when it ends: three lines a minute
// that can be read, instead of hundreds.

/// Decides which failures of one loop are worth a line of the log.
package struct FailureLog: Sendable {
    /// Milliseconds between two lines while failures go on.
    package static let interval: Int64 = 60_000

    private var began: Int64?
    private var lastLine: Int64 = 0
    private var lastFailure: Int64 = 0
    private let quiet: Int64
    private var count = 0

    /// Creates the log of a loop that has not failed yet.
    ///
    /// - Parameter quiet: milliseconds without a failure after which a success ends them: more than 0 where some of what is
    ///   done fails and some does not.
    package init(quiet: Int64 = 0) { self.quiet = quiet }

    /// Whether the last try failed.
    package var isFailing: Bool { self.began != nil }

    /// Counts a failure at `now` (milliseconds of a clock that only goes forward); returns its line when one is due.
    ///
    /// Lines after the first say how often it failed, and for how long.
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

    /// Notes a success at `now`; returns the line that failures have ended, or nil when there were none.
    package mutating func succeeded(at now: Int64, _ event: () -> LogEvent) -> LogEvent? {
        guard let began = self.began, now - self.lastFailure >= self.quiet else { return nil }
        defer { self = Self(quiet: self.quiet) }
        return self.counted(event(), since: began, at: now)
    }

    private func counted(_ event: LogEvent, since began: Int64, at now: Int64) -> LogEvent {
        let fields = [("failures", String(self.count)), ("seconds", String((now - began) / 1000))]
        return LogEvent(event.level, event.message, event.fields + fields)
    }
}
