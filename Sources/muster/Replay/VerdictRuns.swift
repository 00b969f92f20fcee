import MusterCore

/// Merges consecutive fixes of one device with the same verdict into one explanation with their number.
struct VerdictRuns {
    private struct Run {
        let verdict: FixVerdict
        let user: UserID
        var count = 0
        var last: Int64
        var leastLag: Int64
        var mostLag: Int64

        /// The explanation of the fixes after the first.
        func summary(at now: Timestamp) -> Explanation? {
            // Fixes that were used normally, or are explained at their beginning and end, are left out.
            guard self.count > 0, self.verdict != .ok, self.verdict != .secondary else { return nil }
            let lags = "\(self.leastLag / 1000) to \(self.mostLag / 1000) s"
            let what = "\(self.count) more like it up to fix \(self.last): \(self.verdict.rawValue), \(lags) behind"
            return Explanation(of: self.user, at: now, group: nil, saying: what)
        }
    }

    private var runs: [DeviceID: Run] = [:]

    /// Records a fix; returns the explanation of the previous run, and whether this fix starts a new one.
    mutating func note(_ record: FixRecord) -> (before: Explanation?, isFirst: Bool) {
        let lag = record.fix.at.map { record.receivedAt - $0 } ?? 0
        if var run = self.runs[record.device], run.verdict == record.verdict {
            run.count += 1
            run.last = record.fix.sequence
            run.leastLag = min(run.leastLag, lag)
            run.mostLag = max(run.mostLag, lag)
            self.runs[record.device] = run
            return (nil, false)
        }
        let before = self.runs[record.device]?.summary(at: record.receivedAt)
        self.runs[record.device] = Run(
            verdict: record.verdict,
            user: record.user,
            last: record.fix.sequence,
            leastLag: lag,
            mostLag: lag
        )
        return (before, true)
    }

    /// The explanations of the runs that end with the trace.
    func rest(at now: Timestamp) -> [Explanation] {
        self.runs.sorted { $0.key < $1.key }.compactMap { $0.value.summary(at: now) }
    }
}
