import EventLoop
import Synchronization

/// A one-time signal with the result of another thread's start.
final class StartGate: Sendable {
    private let outcome = Mutex<GatewayError??>(nil)
    private let signal = WakeSignal()

    /// Reports the result of the start; nil for success.
    func open(_ error: GatewayError?) {
        self.outcome.withLock { $0 = .some(error) }
        self.signal.raise()
    }

    /// Waits for `open`, and returns its argument.
    func wait() -> GatewayError? {
        while true {
            if let outcome = self.outcome.withLock({ $0 }) { return outcome }
            self.signal.wait(timeoutMilliseconds: 1000)
        }
    }
}

/// A latch for a thread that waits until several other threads have finished.
final class CountdownLatch: Sendable {
    private let left: Mutex<Int>
    private let signal = WakeSignal()

    init(count: Int) { self.left = Mutex(count) }

    func countDown() {
        self.left.withLock { $0 -= 1 }
        self.signal.raise()
    }

    /// Waits until the count is zero.
    ///
    /// - Returns: false when `deadline` (milliseconds) passed first.
    func wait(until deadline: Int64, clock: MonotonicClock) -> Bool {
        while self.left.withLock({ $0 > 0 }) {
            let rest = deadline - clock.milliseconds
            guard rest > 0 else { return false }
            self.signal.wait(timeoutMilliseconds: Int32(min(rest, 1000)))
        }
        return true
    }
}
