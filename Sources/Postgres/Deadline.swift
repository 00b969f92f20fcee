import EventLoop

/// A moment by which something must be over, on a monotonic clock.
struct Deadline: Comparable {
    /// Milliseconds on the clock that the deadline was made with.
    let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The moment that lies `duration` ahead.
    init(after duration: Duration, on clock: MonotonicClock) {
        self.milliseconds = clock.milliseconds + duration.wholeMilliseconds
    }

    static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// What `poll` is told: the time that is left, rounded up, 0 when there is none.
    func pollTimeout(on clock: MonotonicClock) -> Int32 {
        let left = self.milliseconds - clock.milliseconds
        return left <= 0 ? 0 : Int32(clamping: left + 1)
    }

    /// Whether the moment is over.
    func hasPassed(on clock: MonotonicClock) -> Bool { clock.milliseconds >= self.milliseconds }
}

extension Duration {
    /// Milliseconds, rounded down.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
