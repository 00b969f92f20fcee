// One search tries rates for a shorter time than runs that measure take, each with all the limits of a run: everything
// seen and committed, nobody dropped, p99 staleness below 100 ms. It goes up or down by growing steps until one rate is
// held and a higher one is not, halves the gap down to 5 %, and lets the highest that was held prove itself at full length.
// A rate has failed when it failed twice, so that a moment of somebody else's work does not decide. One that is hopeless
// is given up after a second of backlog, so a search takes some minutes at most.

/// Looks for the highest rate that a server sustains.
struct SustainSearch {
    /// The gap between held and not held at which a search ends.
    private static let precision = 1.05
    private static let mostTrials = 14
    private static let mostProofs = 8

    /// The rate to begin with.
    let first: Double
    /// How long a run goes on before it counts, in seconds.
    let warmUp: Double
    /// How long a run that measures takes, in seconds.
    let seconds: Double
    /// What the search before this one found, which this one begins near.
    var found: Double?

    /// The lowest rate that is tried.
    var lowest: Double { self.first / 64 }

    /// Searches, and measures what was found.
    ///
    /// - Returns: a whole run at the highest rate that was sustained; nil when none was.
    mutating func run(_ trial: inout FanoutTrial, _ context: BenchContext) throws(BenchError) -> FanoutRun? {
        guard var rate = try self.search(&trial, context) else { return nil }
        for _ in 0..<Self.mostProofs {
            let run = try self.measure(rate, for: self.seconds, "measuring", &trial, context)
            if run.isSustained {
                self.found = rate
                return run
            }
            // What the search found by luck counts for nothing.
            rate /= Self.precision
        }
        return nil
    }

    private func search(_ trial: inout FanoutTrial, _ context: BenchContext) throws(BenchError) -> Double? {
        var step = self.found == nil ? 2 : 1.15
        var held: Double?
        var failed: Double?
        var rate = self.found ?? self.first
        for _ in 0..<Self.mostTrials {
            if try self.attempt(rate, &trial, context).isSustained { held = rate } else { failed = rate }
            switch (held, failed) {
            case (let held?, let failed?):
                guard failed / held > Self.precision else { return held }
                rate = (held * failed).squareRoot()
            case (.some, nil): rate *= step
            case (nil, _):
                rate /= step
                guard rate >= self.lowest else { return nil }
            }
            step = min(2, step * step)
        }
        return held
    }

    /// Tries a rate, and once more when it was not held.
    private func attempt(
        _ rate: Double,
        _ trial: inout FanoutTrial,
        _ context: BenchContext
    ) throws(BenchError) -> FanoutRun {
        let seconds = max(2, self.seconds / 2)
        let run = try self.measure(rate, for: seconds, "searching", &trial, context)
        return run.isSustained ? run : try self.measure(rate, for: seconds, "trying again", &trial, context)
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
