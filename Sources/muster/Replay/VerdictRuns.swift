import MusterCore

/// Fixes of one device in a row that are judged alike, which are told once with how many there were.
struct VerdictRuns {
    private struct Run {
        let verdict: FixVerdict
        let user: UserID
        var count = 0
        var last: Int64
        var leastLag: Int64
        var mostLag: Int64

        /// What is said of those behind the first.
        func summary(at now: Timestamp) -> Explanation? {
            // What was used as it came, or is told when it begins and ends, is no news.
            guard self.count > 0, self.verdict != .ok, self.verdict != .secondary else { return nil }
            let lags = "\(self.leastLag / 1000) to \(self.mostLag / 1000) s"
            let what = "\(self.count) more like it until fix \(self.last): \(self.verdict.rawValue), \(lags) behind"
            return Explanation(of: self.user, at: now, group: nil, saying: what)
        }
    }

    private var runs: [DeviceID: Run] = [:]

    /// Takes note of a fix; returns what is to be said of those before it, and whether it is to be told by itself.
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

    /// What is to be said of rows that end with the trace.
    func rest(at now: Timestamp) -> [Explanation] {
        self.runs.sorted { $0.key < $1.key }.compactMap { $0.value.summary(at: now) }
    }
}
