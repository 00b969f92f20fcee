// Rule: a tracker that is wrong by a whole number of quarter hours is recognised by ten arrivals over ≥ 10 min. There
// must be no other lag in between, and the lags must be within a minute of each other. They must also be within 2 min
// of that number of quarter hours (not 0). The least lag is the offset.
//
// An upload of buffered fixes never matches: its lags shrink while it catches up, and live fixes come in between.

/// A run of arrivals with about the same lag.
struct QuarterHours: Sendable {
    /// The maximum difference between the lags of a run, in milliseconds.
    static let scatter: Int64 = 60_000

    private static let quarter: Int64 = 900_000
    private static let distance: Int64 = 120_000
    private static let arrivals = 10
    private static let span: Int64 = 600_000

    private var least: Int64
    private var most: Int64
    private let since: Timestamp
    private var last: Timestamp
    private var count = 1

    /// Begins a run.
    init(lag: Int64, at now: Timestamp) {
        self.least = lag
        self.most = lag
        self.since = now
        self.last = now
    }

    /// Whether a lag continues the run.
    func isLike(_ lag: Int64) -> Bool { max(self.most, lag) - min(self.least, lag) <= Self.scatter }

    /// Whether a lag is within range of the quarter hours of an offset.
    static func isExplained(_ lag: Int64, by offset: Int64) -> Bool {
        Self.centre(of: offset).map { abs(lag - $0) <= Self.distance } ?? false
    }

    /// The multiple of quarter hours near a lag; nil when there is none, or when it is 0.
    private static func centre(of lag: Int64) -> Int64? {
        let doubled = 2 * lag + Self.quarter
        let number =
            (doubled - (doubled % (2 * Self.quarter) + 2 * Self.quarter) % (2 * Self.quarter)) / (2 * Self.quarter)
        let centre = number * Self.quarter
        return number != 0 && abs(lag - centre) <= Self.distance ? centre : nil
    }

    /// Adds a fix to the run.
    mutating func note(_ lag: Int64, isArrival: Bool, at now: Timestamp) {
        self.least = min(self.least, lag)
        self.most = max(self.most, lag)
        self.last = now
        if isArrival { self.count += 1 }
    }

    /// The correction for the device's times, once the run proves it.
    var offset: Int64? {
        guard self.count >= Self.arrivals, self.last - self.since >= Self.span else { return nil }
        guard let centre = Self.centre(of: self.least), abs(self.most - centre) <= Self.distance else { return nil }
        return self.least
    }
}
