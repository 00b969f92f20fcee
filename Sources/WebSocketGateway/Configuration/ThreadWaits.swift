import EventLoop
import Synchronization

/// Lets one thread wait for how another's start went.
final class StartGate: Sendable {
    private let outcome = Mutex<GatewayError??>(nil)
    private let signal = WakeSignal()

    /// Tells how the start went; nil for well.
    func open(_ error: GatewayError?) {
        self.outcome.withLock { $0 = .some(error) }
        self.signal.raise()
    }

    /// Waits for `open`.
    func wait() -> GatewayError? {
        while true {
            if let outcome = self.outcome.withLock({ $0 }) { return outcome }
            self.signal.wait(timeoutMilliseconds: 1000)
        }
    }
}

/// Lets a thread wait until several others have said that they are done.
final class CountdownLatch: Sendable {
    private let left: Mutex<Int>
    private let signal = WakeSignal()

    init(count: Int) { self.left = Mutex(count) }

    func countDown() {
        self.left.withLock { $0 -= 1 }
        self.signal.raise()
    }

    /// Waits until everybody is done.
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
