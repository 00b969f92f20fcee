package import EventLoop
import Synchronization

/// A clock that advances only when a test moves it.
package final class ManualClock: Sendable {
    private struct State {
        var nanoseconds: Int64
        var wallMilliseconds: Int64
    }

    private let state: Mutex<State>

    /// Creates a clock that shows 2025-01-01T00:00:00Z by default.
    package init(nanoseconds: Int64 = 1_000_000_000, wallMilliseconds: Int64 = 1_735_689_600_000) {
        self.state = Mutex(State(nanoseconds: nanoseconds, wallMilliseconds: wallMilliseconds))
    }

    /// A `MonotonicClock` for the code under test, which reads this clock.
    package var clock: MonotonicClock {
        MonotonicClock(
            monotonicNanoseconds: { self.state.withLock(\.nanoseconds) },
            wallMilliseconds: { self.state.withLock(\.wallMilliseconds) }
        )
    }

    /// Moves both clocks forward.
    package func advance(milliseconds: Int64) {
        self.state.withLock { state in
            state.nanoseconds += milliseconds * 1_000_000
            state.wallMilliseconds += milliseconds
        }
    }

    /// Sets only the wall clock, also backwards, as an operator or NTP does.
    package func setWall(milliseconds: Int64) {
        self.state.withLock { $0.wallMilliseconds = milliseconds }
    }
}
