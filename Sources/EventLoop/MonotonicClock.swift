import Glibc

/// The two clocks that a server reads: a monotonic one for delays, and the wall clock for timestamps that clients see.
///
/// Injected wherever time matters, so that tests control it.
package struct MonotonicClock: Sendable {
    private let readMonotonic: @Sendable () -> Int64
    private let readWall: @Sendable () -> Int64

    /// Creates a clock from two sources.
    ///
    /// - Parameters:
    ///   - monotonicNanoseconds: nanoseconds since an arbitrary start; never goes back.
    ///   - wallMilliseconds: milliseconds since the Unix epoch.
    package init(
        monotonicNanoseconds: @escaping @Sendable () -> Int64,
        wallMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.readMonotonic = monotonicNanoseconds
        self.readWall = wallMilliseconds
    }

    /// The machine's own clocks.
    package static let system = MonotonicClock(
        monotonicNanoseconds: { read(CLOCK_MONOTONIC) },
        wallMilliseconds: { read(CLOCK_REALTIME) / 1_000_000 }
    )

    /// Nanoseconds since an arbitrary start.
    package var nanoseconds: Int64 { self.readMonotonic() }

    /// Milliseconds since an arbitrary start.
    package var milliseconds: Int64 { self.readMonotonic() / 1_000_000 }

    /// Milliseconds since the Unix epoch.
    package var wallMilliseconds: Int64 { self.readWall() }
}

private func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
