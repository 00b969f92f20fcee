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
