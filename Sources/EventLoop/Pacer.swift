import Glibc

// Every tick of a loop has a fixed cost: a thread wake-up, a socket write, a commit. The pacer spaces ticks in
// proportion to their cost, and one tick handles all input of the interval. The interval between two starts is a
// multiple of the cost of a tick. While ticks are cheap, the pause is less than `shortest` and is skipped, so it adds
// no delay. When ticks use more than their share of the time, pauses make each tick larger and more costly. In the
// limit, each handles all pending input of all clients once. `longest` limits the added delay.

/// The length of the pause between two ticks of a loop, computed from the cost of a tick.
///
/// Costs are real machine time, so they are measured with the system clock, whatever clock the loop uses.
package struct Pacer: Sendable {
    /// The minimum interval between the starts of two ticks, as a multiple of the cost.
    private let share: Int64
    private let shortest: Int64
    private let longest: Int64

    /// The system's monotonic time in nanoseconds, for measuring costs.
    package static var now: Int64 { MonotonicClock.system.nanoseconds }

    /// The processor time of the calling thread in nanoseconds.
    ///
    /// It excludes the time of other threads on the same processor.
    ///
    /// It is a system call, which takes ten times as long as `now`.
    package static var threadTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Creates a pacer.
    ///
    /// - Parameters:
    ///   - share: the minimum interval between the starts of two ticks, as a multiple of the cost.
    ///   - shortest: nanoseconds; a shorter pause is skipped.
    ///   - longest: the maximum interval between the starts of two ticks, in nanoseconds.
    package init(share: Int64, shortest: Int64, longest: Int64) {
        self.share = share
        self.shortest = shortest
        self.longest = longest
    }

    /// Returns the length of the pause before the next tick.
    ///
    /// - Parameters:
    ///   - cost: the cost of a tick, in nanoseconds.
    ///   - elapsed: the time since the tick began, in nanoseconds.
    /// - Returns: nanoseconds; 0 for no pause.
    package func pause(cost: Int64, elapsed: Int64) -> Int64 {
        let pause = min(self.share * cost, self.longest) - elapsed
        return pause < self.shortest ? 0 : pause
    }

    /// Sleeps for the length that `pause` returns.
    package func rest(cost: Int64, elapsed: Int64) {
        let pause = self.pause(cost: cost, elapsed: elapsed)
        guard pause > 0 else { return }
        var time = timespec(tv_sec: 0, tv_nsec: Int(pause))
        nanosleep(&time, nil)
    }
}
