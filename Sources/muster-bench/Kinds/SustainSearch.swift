// Rates are tried for a shorter time than in a measured run, with all the limits of such a run. Everything must be seen
// and committed, no session dropped, and p99 staleness below 100 ms or the requested limit. The highest sustained rate
// is then confirmed by a run of full length; if that fails, lower rates are tried. A hopeless rate is abandoned after a
// second of backlog. A search that reaches its time limit returns the best rate so far.

import EventLoop

/// A search for the highest sustained rate of a server.
struct SustainSearch {
    /// The time limit of a search, in runs of full length.
    private static let timeout = 40.0
    private static let mostProofs = 8
    /// The number of confirmations with small steps.
    ///
    /// After that, other load on the machine is likely, and the rate is halved.
    private static let nearProofs = 4

    /// The first rate.
    let first: Double
    /// The duration of the warm-up in seconds.
    let warmUp: Double
    /// The duration of a measured run in seconds.
    let seconds: Double
    /// The maximum p99 staleness in milliseconds.
    let staleness: Double
    /// The result of the previous search, near which the next one starts.
    private var found: Double?

    /// Creates a search.
    init(first: Double, warmUp: Double, seconds: Double, staleness: Double = FanoutRun.sustainedStaleness) {
        self.staleness = staleness
        self.first = first
        self.warmUp = warmUp
        self.seconds = seconds
    }

    /// Searches, and measures the result.
    ///
    /// - Returns: a run of full length at the highest sustained rate; nil when there is none.
    mutating func run(_ trial: inout FanoutTrial, _ context: BenchContext) throws(BenchError) -> FanoutRun? {
        guard var rate = try self.search(&trial, context) else { return nil }
        for proof in 1...Self.mostProofs {
            let run = try self.measure(rate, for: self.seconds, "measuring", &trial, context)
            if run.isSustained(within: self.staleness) {
                self.found = rate
                return run
            }
            // A rate that the search found by chance is not sustained.
            rate /= proof < Self.nearProofs ? RateSearch.precision : 2
        }
        return nil
    }

    private func search(_ trial: inout FanoutTrial, _ context: BenchContext) throws(BenchError) -> Double? {
        let clock = MonotonicClock.system
        let end = clock.milliseconds + Int64((self.warmUp + self.seconds) * Self.timeout * 1000)
        var search = RateSearch(
            from: self.found ?? self.first,
            step: self.found == nil ? 2 : 1.15,
            lowest: self.first / 64
        )
        while let rate = search.rate, clock.milliseconds < end {
            let seconds = max(min(2, self.seconds), self.seconds / 2)
            let run = try self.measure(rate, for: seconds, "searching", &trial, context)
            if run.isSustained(within: self.staleness) { search.noteSustained() } else { search.noteFailed() }
        }
        return search.sustained
    }

    private func measure(
        _ rate: Double,
        for seconds: Double,
        _ purpose: String,
        _ trial: inout FanoutTrial,
        _ context: BenchContext
    ) throws(BenchError) -> FanoutRun {
        // A previous overload may have disconnected sessions.
        try trial.enter(context)
        let plan = LoadPlan(rate: rate, warmUp: self.warmUp, seconds: seconds, backlog: .abandon)
        let run = try trial.run(plan, context)
        context.progress.step("\(trial.name), \(purpose): \(BenchFigure.text(rate)) fixes/s: \(run.summary)")
        return run
    }
}
