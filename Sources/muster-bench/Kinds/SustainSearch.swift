// Rates are tried for a shorter time than runs that measure take, each with all the limits of a run: everything seen and
// committed, nobody dropped, p99 staleness below 100 ms, or what was asked for. The highest that was sustained proves itself at
// full length, or else a lower one. A rate that is hopeless is given up after a second of backlog, and a search that finds no end
// takes what it has.

import EventLoop

/// Looks for the highest rate that a server sustains.
struct SustainSearch {
    /// How long a search may take, in runs of full length.
    private static let patience = 40.0
    private static let mostProofs = 8
    /// After so many proofs that failed the machine does something else beside, and the rate is halved.
    private static let nearProofs = 4

    /// The rate to begin with.
    let first: Double
    /// How long a run goes on before it counts, in seconds.
    let warmUp: Double
    /// How long a run that measures takes, in seconds.
    let seconds: Double
    /// The most that p99 staleness may be, in milliseconds.
    let staleness: Double
    /// What the search before this one found, which this one begins near.
    private var found: Double?

    /// Prepares a search.
    init(first: Double, warmUp: Double, seconds: Double, staleness: Double = FanoutRun.sustainedStaleness) {
        self.staleness = staleness
        self.first = first
        self.warmUp = warmUp
        self.seconds = seconds
    }

    /// Searches, and measures what was found.
    ///
    /// - Returns: a whole run at the highest rate that was sustained; nil when none was.
    mutating func run(_ trial: inout FanoutTrial, _ context: BenchContext) throws(BenchError) -> FanoutRun? {
        guard var rate = try self.search(&trial, context) else { return nil }
        for proof in 1...Self.mostProofs {
            let run = try self.measure(rate, for: self.seconds, "measuring", &trial, context)
            if run.isSustained(within: self.staleness) {
                self.found = rate
                return run
            }
            // What the search found by luck counts for nothing.
            rate /= proof < Self.nearProofs ? RateSearch.precision : 2
        }
        return nil
    }

    private func search(_ trial: inout FanoutTrial, _ context: BenchContext) throws(BenchError) -> Double? {
        let clock = MonotonicClock.system
        let end = clock.milliseconds + Int64((self.warmUp + self.seconds) * Self.patience * 1000)
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
        // A rate that was too much may have cost sessions.
        try trial.enter(context)
        let plan = LoadPlan(rate: rate, warmUp: self.warmUp, seconds: seconds, backlog: .abandon)
        let run = try trial.run(plan, context)
        context.progress.step("\(trial.name), \(purpose): \(BenchFigure.text(rate)) fixes/s: \(run.summary)")
        return run
    }
}
