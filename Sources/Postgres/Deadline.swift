import EventLoop

/// A deadline on a monotonic clock.
struct Deadline: Comparable {
    /// Milliseconds on the clock of the deadline.
    let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Creates a deadline `duration` from now.
    init(after duration: Duration, on clock: MonotonicClock) {
        self.milliseconds = clock.milliseconds + duration.wholeMilliseconds
    }

    static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the timeout for `poll`: the remaining time, rounded up, or 0.
    func pollTimeout(on clock: MonotonicClock) -> Int32 {
        let left = self.milliseconds - clock.milliseconds
        return left <= 0 ? 0 : Int32(clamping: left + 1)
    }

    /// Returns whether the deadline has passed.
    func hasPassed(on clock: MonotonicClock) -> Bool { clock.milliseconds >= self.milliseconds }
}

extension Duration {
    /// Milliseconds, rounded down.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
