// Rule: a tracker wrong by a whole number of quarter hours is recognised when ten arrivals over ≥ 10 min,
// none of other lag between, lag within a minute of each other and within 2 min of that number (not 0); the least lag is the
// offset.
//
// An upload of what was kept for later is never mistaken for one: its lags shrink as it is caught up with, and what is live
// comes between.

/// A row of arrivals that all lag about as much.
struct QuarterHours: Sendable {
    /// How far apart in milliseconds the lags of a row may be.
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

    /// Begins a row.
    init(lag: Int64, at now: Timestamp) {
        self.least = lag
        self.most = lag
        self.since = now
        self.last = now
    }

    /// Whether a lag goes on with the row.
    func isLike(_ lag: Int64) -> Bool { max(self.most, lag) - min(self.least, lag) <= Self.scatter }

    /// Whether a lag is one of the quarter hours of an offset, sooner or later.
    static func isExplained(_ lag: Int64, by offset: Int64) -> Bool {
        Self.centre(of: offset).map { abs(lag - $0) <= Self.distance } ?? false
    }

    /// The quarter hours that are near a lag; nil when none are, or it is none.
    private static func centre(of lag: Int64) -> Int64? {
        let doubled = 2 * lag + Self.quarter
        let number =
            (doubled - (doubled % (2 * Self.quarter) + 2 * Self.quarter) % (2 * Self.quarter)) / (2 * Self.quarter)
        let centre = number * Self.quarter
        return number != 0 && abs(lag - centre) <= Self.distance ? centre : nil
    }

    /// Takes a fix into the row.
    mutating func note(_ lag: Int64, isArrival: Bool, at now: Timestamp) {
        self.least = min(self.least, lag)
        self.most = max(self.most, lag)
        self.last = now
        if isArrival { self.count += 1 }
    }

    /// What is to be added to the device's times, once the row proves it.
    var offset: Int64? {
        guard self.count >= Self.arrivals, self.last - self.since >= Self.span else { return nil }
        guard let centre = Self.centre(of: self.least), abs(self.most - centre) <= Self.distance else { return nil }
        return self.least
    }
}
