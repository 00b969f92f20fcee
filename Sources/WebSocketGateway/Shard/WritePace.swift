/// Spaces writes out when there is much to write: after a flush that took long, the next waits as long again.
///
/// So a shard spends at most half of its time writing, and what changes meanwhile is conflated into fewer, fuller
/// frames: at its limit a shard slows down by tens of milliseconds instead of falling behind. At light load a flush
/// takes microseconds, and nothing ever waits.
struct WritePace {
    /// The longest wait, in nanoseconds, whatever a flush took.
    static let longestRest: Int64 = 50_000_000
    /// Waits shorter than this are not worth a timer.
    static let shortestRest: Int64 = 1_000_000

    private var restsUntil: Int64 = .min

    /// Notes a flush that began and ended at these times of the monotonic clock, in nanoseconds.
    mutating func flushed(from start: Int64, to end: Int64) {
        let rest = min(end - start, Self.longestRest)
        self.restsUntil = rest < Self.shortestRest ? .min : end + rest
    }

    /// How long to wait before the next flush, in nanoseconds; 0 for not at all.
    func rest(at now: Int64) -> Int64 { self.restsUntil == .min ? 0 : max(0, self.restsUntil - now) }
}
