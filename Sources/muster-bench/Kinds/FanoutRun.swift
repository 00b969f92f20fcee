/// The result of one run at one rate.
struct FanoutRun {
    /// The maximum p99 staleness of a sustained rate, in milliseconds.
    static let sustainedStaleness = 100.0
    /// The maximum time from the last fix until all positions are seen and committed at a sustained rate, in
    /// nanoseconds.
    static let sustainedDrain = 1_000_000_000

    let rate: Double
    let tally: FanoutTally
    /// The resource usage in the measured interval.
    let usage: UsageMeter.Sample
    /// Fixes, positions, frames and bytes in the measured interval.
    let fixes: Int
    let positions: Int
    let frames: Int
    let bytes: Int
    /// The server's resident memory at the end, in bytes.
    let resident: Int

    /// Whether the rate was sustained: no failure, everything sent, seen and committed in time, and p99 below
    /// `staleness` ms.
    func isSustained(within staleness: Double) -> Bool {
        !self.tally.isAbandoned && self.failures.isEmpty && self.tally.staleness.milliseconds(0.99) < staleness
            && Double(self.tally.drainTime) < max(Double(Self.sustainedDrain), staleness * 1e6)
    }

    /// Requirements at any rate that were violated.
    var failures: [String] {
        var failures: [String] = []
        let at = "at \(BenchFigure.text(self.rate)) fixes/s"
        if self.tally.dropped > 0 { failures.append("\(self.tally.dropped) sessions were dropped \(at)") }
        if self.tally.unseen > 0 { failures.append("\(self.tally.unseen) states were never seen \(at)") }
        if self.tally.unacknowledged > 0 {
            failures.append("\(self.tally.unacknowledged) fixes were not acknowledged \(at)")
        }
        if self.tally.errors > 0 { failures.append("\(self.tally.errors) errors \(at): \(self.tally.lastError)") }
        if self.tally.rejections > 0 {
            failures.append("\(self.tally.rejections) acks with rejections \(at): \(self.tally.lastError)")
        }
        if self.tally.misreadFrames > 0 { failures.append("\(self.tally.misreadFrames) frames were misread \(at)") }
        return failures
    }

    /// The server's processor time per delivered position, in microseconds.
    var processorPerPosition: Double { Double(self.usage.server) / 1000 / Double(self.positions) }

    /// The actual rate of fixes per second.
    var fixesPerSecond: Double { Double(self.fixes) / (Double(self.usage.nanoseconds) / 1e9) }

    /// The server's CPU use in cores.
    var serverCores: Double { Double(self.usage.server) / Double(self.usage.nanoseconds) }

    /// The CPU use of the load in cores.
    var loadCores: Double { Double(self.usage.ours) / Double(self.usage.nanoseconds) }

    /// A short summary.
    var summary: String {
        func text(_ value: Double) -> String { BenchFigure.text(value) }
        return
            "p50 \(text(self.tally.staleness.milliseconds(0.5))) ms, p99 \(text(self.tally.staleness.milliseconds(0.99))) ms, "
            + (self.tally.commitLag.count > 0 ? "ack p99 \(text(self.tally.commitLag.milliseconds(0.99))) ms, " : "")
            + "all delivered in \(text(Double(self.tally.drainTime) / 1e6)) ms"
            + (self.tally.dropped > 0 ? ", \(self.tally.dropped) dropped" : "")
            + (self.tally.errors > 0 ? ", \(self.tally.errors) refused" : "")
            + (self.tally.isAbandoned ? ", stopped with one second of it pending" : "")
            + (self.isSustained(within: Self.sustainedStaleness) ? "" : " (not sustained)")
    }

    /// The figures for the report.
    func figures(group: Int) -> [BenchFigure] {
        let seconds = Double(self.usage.nanoseconds) / 1e9
        let fixes = Double(self.fixes)
        let positions = Double(self.positions)
        return [
            BenchFigure("fixes_per_second", "fixes in", self.fixesPerSecond, "/s"),
            BenchFigure("positions_per_second", "positions delivered", positions / seconds, "/s"),
            BenchFigure("frames_per_second", "frames received", Double(self.frames) / seconds, "/s"),
            BenchFigure("bytes_per_second", "bytes received", Double(self.bytes) / seconds / 1e6, "MB/s"),
            BenchFigure("conflation", "fixes per position", fixes * Double(group - 1) / positions, ""),
            BenchFigure("staleness_p50_ms", "staleness p50", self.tally.staleness.milliseconds(0.5), "ms"),
            BenchFigure("staleness_p99_ms", "staleness p99", self.tally.staleness.milliseconds(0.99), "ms"),
            BenchFigure("staleness_p999_ms", "staleness p99.9", self.tally.staleness.milliseconds(0.999), "ms"),
            BenchFigure("staleness_max_ms", "staleness max", Double(self.tally.staleness.longest) / 1e6, "ms"),
            BenchFigure(
                "late_p99_ms",
                "delay of the load itself p99",
                self.tally.lateness.milliseconds(0.99),
                "ms"
            ),
            BenchFigure("commit_lag_p50_ms", "commit lag p50", self.tally.commitLag.milliseconds(0.5), "ms"),
            BenchFigure("commit_lag_p99_ms", "commit lag p99", self.tally.commitLag.milliseconds(0.99), "ms"),
            BenchFigure("settled_ms", "all delivered and committed after", Double(self.tally.drainTime) / 1e6, "ms"),
            BenchFigure("server_us_per_fix", "server CPU per fix", Double(self.usage.server) / 1000 / fixes, "µs"),
            BenchFigure("server_us_per_position", "server CPU per position", self.processorPerPosition, "µs"),
            BenchFigure(
                "postgres_us_per_fix",
                "PostgreSQL CPU per fix",
                Double(self.usage.postgres) / 1000 / fixes,
                "µs"
            ),
            BenchFigure("server_cores", "server CPU", self.serverCores, "cores"),
            BenchFigure(
                "postgres_cores",
                "PostgreSQL CPU",
                Double(self.usage.postgres) / Double(self.usage.nanoseconds),
                "cores"
            ),
            BenchFigure(
                "server_waits_per_fix",
                "server: thread sleeps per fix",
                Double(self.usage.waits) / fixes,
                ""
            ),
            BenchFigure("load_cores", "load CPU", self.loadCores, "cores"),
            BenchFigure("server_resident_mb", "server memory", Double(self.resident) / 1e6, "MB"),
        ]
    }
}
