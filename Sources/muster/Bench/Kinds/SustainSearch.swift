/// Looks for the highest rate that is sustained: doubles until one is not, then halves the gap down to 5 %.
struct SustainSearch {
    private static let precision = 1.05
    private static let mostTrials = 16

    /// The rate to begin with.
    let first: Double
    let warmUp: Double
    let seconds: Double

    /// The lowest rate that is tried.
    var lowest: Double { self.first / 16 }

    /// Searches, with shorter runs than those that measure.
    ///
    /// - Returns: the highest rate that was sustained; nil when none was.
    func run(_ trial: inout FanoutTrial, _ context: BenchContext) throws(BenchError) -> Double? {
        var held: Double?
        var failed: Double?
        var rate = self.first
        for _ in 0..<Self.mostTrials {
            context.progress.show("searching: \(BenchFigure.text(rate)) fixes/s")
            let run = try trial.run(
                rate: rate,
                warmUp: self.warmUp,
                seconds: max(2, self.seconds / 2),
                patience: 60_000,
                context
            )
            context.progress.step("searching: \(BenchFigure.text(rate)) fixes/s: \(run.summary)")
            guard run.failures.isEmpty else { throw BenchError(run.failures.joined(separator: "; ")) }
            if run.isSustained { held = rate } else { failed = rate }
            switch (held, failed) {
            case (let held?, let failed?):
                guard failed / held > Self.precision else { return held }
                rate = (held * failed).squareRoot()
            case (.some, nil): rate *= 2
            case (nil, _):
                rate /= 2
                guard rate >= self.lowest else { return nil }
            }
        }
        return held
    }
}
