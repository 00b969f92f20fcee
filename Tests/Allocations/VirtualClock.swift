import EventLoop
import Synchronization

/// A clock that advances only between operations, so that work due once a second is due equally often in every run.
final class VirtualClock: Sendable {
    private let elapsed = Atomic<Int64>(0)
    private let start = MonotonicClock.system.wallMilliseconds

    /// Milliseconds since the Unix epoch.
    var wallMilliseconds: Int64 { self.start + self.elapsed.load(ordering: .relaxed) }

    /// Advances the clock.
    func advance(milliseconds: Int64) { self.elapsed.wrappingAdd(milliseconds, ordering: .relaxed) }

    /// The clock that the server reads.
    var clock: MonotonicClock {
        MonotonicClock(
            monotonicNanoseconds: { self.wallMilliseconds * 1_000_000 },
            wallMilliseconds: { self.wallMilliseconds }
        )
    }
}
