import EventLoop

/// Polls until a condition holds that another thread or process brings about.
///
/// Blocks.
///
/// - Returns: false if it does not hold within `milliseconds`.
package func eventually(within milliseconds: Int64 = 180_000, _ holds: () throws -> Bool) rethrows -> Bool {
    let deadline = MonotonicClock.system.milliseconds + milliseconds
    let pause = WakeSignal()
    while try !holds() {
        guard MonotonicClock.system.milliseconds < deadline else { return false }
        pause.wait(timeoutMilliseconds: 10)
    }
    return true
}
