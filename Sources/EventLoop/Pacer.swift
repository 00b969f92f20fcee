import Glibc

// A turn of a loop costs something whatever it carries: a wake of a thread, a write to a socket, a commit. So the dearer the
// turns are, the further apart they begin: what came in between is done at once. The time from one to the next is a
// multiple of what a turn costs. While turns are cheap that is less than `shortest`, and there is no pause, so nothing is
// late. When they need more than their share of the time, pauses make them fuller and dearer still, until each carries as
// much as there is, for everybody, once; `longest` bounds what that adds to a delay.

/// Decides how long a loop pauses between two turns, by what turns cost.
///
/// Costs are the machine's, so they are measured with its own clock, whatever clock the loop goes by.
package struct Pacer: Sendable {
    /// How many times its cost passes from the beginning of a turn to that of the next, at least.
    private let share: Int64
    private let shortest: Int64
    private let longest: Int64

    /// Nanoseconds of the clock that costs are measured with.
    package static var now: Int64 { MonotonicClock.system.nanoseconds }

    /// Nanoseconds for which the calling thread has had a processor: what a turn costs even while others take their turns.
    ///
    /// Asks the kernel, which takes ten times as long as `now`.
    package static var threadTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Creates a pacer.
    ///
    /// - Parameters:
    ///   - share: how many times its cost passes from the beginning of a turn to that of the next, at least.
    ///   - shortest: nanoseconds; a pause below this is none.
    ///   - longest: nanoseconds from the beginning of a turn to that of the next, at most.
    package init(share: Int64, shortest: Int64, longest: Int64) {
        self.share = share
        self.shortest = shortest
        self.longest = longest
    }

    /// How long to wait before the next turn.
    ///
    /// - Parameters:
    ///   - cost: what a turn costs, in nanoseconds.
    ///   - elapsed: how long ago the turn began, in nanoseconds.
    /// - Returns: nanoseconds; 0 for no pause.
    package func pause(cost: Int64, elapsed: Int64) -> Int64 {
        let pause = min(self.share * cost, self.longest) - elapsed
        return pause < self.shortest ? 0 : pause
    }

    /// Sleeps as long as `pause` says.
    package func rest(cost: Int64, elapsed: Int64) {
        let pause = self.pause(cost: cost, elapsed: elapsed)
        guard pause > 0 else { return }
        var time = timespec(tv_sec: 0, tv_nsec: Int(pause))
        nanosleep(&time, nil)
    }
}
